// What stands below the drawings: the item that was clicked, its series and paths, the reports and the model.

const FAMILIES = {body: 'Bodies', joint: 'Joints', force: 'Forces', driver: 'Drivers', reading: 'Readings', system: 'Whole'};

class Item {
  constructor(element, page) {
    this.page = page;
    this.select = element.querySelector('select');
    this.words = element.querySelector('.words');
    this.traces = element.querySelector('.traces');
    this.plots = new Plots(element.querySelector('.plots'), page, false);
    this.select.addEventListener('change', () => page.choose(this.select.value === '' ? '' : page.run.items[Number(this.select.value)].name));
  }

  // the list of all items of a run
  list(run) {
    const groups = Object.entries(FAMILIES).map(([kind, title]) => {
      const own = run.items.map((one, i) => [one, i]).filter(([one]) => one.kind === kind);
      return own.length ? make('optgroup', {label: title}, ...own.map(([one, i]) => make('option', {value: i}, one.name))) : null;
    });
    this.select.replaceChildren(make('option', {value: ''}, '(click one in the drawing)'), ...groups.filter(Boolean));
  }

  show(name) {
    const {run, stage} = this.page;
    const at = run.items.findIndex((one) => one.name === name);
    this.select.value = at < 0 ? '' : String(at);
    this.traces.replaceChildren();
    this.words.textContent = at < 0 ? 'Click a body or a joint to see its series.' : run.items[at].words;
    this.plots.set(at < 0 ? [] : run.items[at].series.map((i) => this.page.line(run, run.series[i])));
    const b = at < 0 || run.items[at].kind !== 'body' ? -1 : run.bodies.indexOf(name);
    if (b < 0) return;
    for (const [point] of run.points[b]) {
      const box = make('input', {type: 'checkbox'});
      box.checked = stage.traceNames.has(point ? `${name}.${point}` : name);
      box.addEventListener('change', () => stage.trace(name, point, box.checked));
      this.traces.append(make('label', {}, box, ` path of ${point || 'its mass centre'}`));
    }
  }
}

// the texts: what the check said, what the run took, the model file
function texts(element, runs) {
  element.replaceChildren(...runs.flatMap((run) => {
    const end = runs.length > 1 ? `: ${run.title}` : '';
    return [[`Check${end}`, run.check], [`Run${end}`, run.report], [`Model${end}`, run.model]].map(([title, words]) => (
      make('details', {}, make('summary', {}, title), make('pre', {tabindex: '0', role: 'region', 'aria-label': title}, words))
    ));
  }));
}
