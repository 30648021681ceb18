// The page: one time for everything, the controls, the keys.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const MOST_NAMES = 60; // more of them hide the drawing, and wait to be switched on
const KEYS = [
  ['space, K', 'play or pause'], ['← →', 'one step back, one on; with ctrl ten'], ['Home, End', 'first and last time'],
  ['shift + arrows', 'turn the view, in the plane move it'], ['+ − 0', 'nearer, further, fit'],
  ['N', 'names'], ['T', 'paths'], ['V, F, R', 'velocities, forces, reactions'], ['G', 'angles in degrees'], ['D', 'dark or light'], ['?', 'these keys'],
];

class Page {
  constructor(data) {
    this.data = data;
    this.runs = data.runs;
    this.many = data.runs.length > 3;
    this.playing = false;
    this.stages = data.runs.map((run, i) => new Stage(run, i, this));
    // the run with the longest motion leads: its stored times are the steps of the slider
    const span = (run) => run.t[run.t.length - 1] - run.t[0];
    this.lead = this.runs.reduce((best, run) => (span(run) > span(best) * (1 + 1e-9) ? run : best));
    this.together = new Set(this.runs.map((run) => run.bodies.join('\n'))).size === 1;
    this.stage = this.stages[0];
    this.run = this.runs[0];
    this.step = 0;
    this.now = this.lead.t[0];
    this.speed = data.speed;
    const at = (id) => document.getElementById(id);
    this.parts = Object.fromEntries(['stages', 'scrub', 'clock', 'play', 'speed', 'add', 'switches'].map((id) => [id, at(id)]));
    document.querySelector('main').classList.toggle('one', this.runs.length === 1);
    this.parts.stages.classList.toggle('many', this.many);
    this.parts.stages.classList.toggle('two', this.runs.length === 2 || this.runs.length === 3);
    this.parts.stages.append(...this.stages.map((one) => one.element));
    this.plots = new Plots(document.querySelector('#plots .plots'), this, true);
    this.item = new Item(at('item'), this);
    texts(at('texts'), this.runs);
    this.controls();
    this.switches();
    keys(this);
    this.setRun(this.stage);
    this.resize();
    let width = window.innerWidth;
    new ResizeObserver(() => {
      if (window.innerWidth !== width) { width = window.innerWidth; this.resize(); }
    }).observe(document.body);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => this.setDark(event.matches));
  }

  // -- time -----------------------------------------------------------------------------------------------------
  controls() {
    const {scrub, play, speed} = this.parts;
    const on = (id, act) => document.getElementById(id).addEventListener('click', act);
    scrub.max = this.lead.t.length - 1;
    scrub.addEventListener('input', () => { this.pause(); this.goToStep(Number(scrub.value)); });
    on('first', () => this.goToStep(0));
    on('back', () => this.stepBy(-1));
    on('forth', () => this.stepBy(1));
    play.addEventListener('click', () => this.toggle());
    const known = [...new Set([...SPEEDS, this.speed])].sort((a, b) => a - b);
    speed.replaceChildren(...known.map((one) => make('option', {value: one}, `${plain(one)}×`)));
    speed.value = this.speed;
    speed.addEventListener('change', () => { this.speed = Number(speed.value); });
    on('theme', () => this.setDark(!theme.dark));
    on('help', () => this.help());
    this.parts.add.addEventListener('change', () => this.plot(this.parts.add.value));
  }

  toggle() {
    if (this.playing) this.pause(); else this.play();
  }

  play() {
    if (this.lead.t.length < 2) return;
    this.playing = true;
    this.label('pause', '❚❚');
    const {t} = this.lead;
    if (this.step === t.length - 1) this.goToStep(0);
    let before = null;
    const tick = (moment) => {
      if (!this.playing) return;
      if (before !== null) {
        // a tab that slept does not jump
        this.now += Math.min(0.1, (moment - before) / 1000) * this.speed;
        const last = t[t.length - 1];
        if (this.now > last) this.now = t[0] + ((this.now - t[0]) % (last - t[0]));
        this.show(nearest(t, this.now), this.now);
      }
      before = moment;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.label('play', '▶');
    this.goToStep(this.step);
  }

  label(words, sign) {
    this.parts.play.setAttribute('aria-label', words);
    this.parts.play.textContent = sign;
  }

  stepBy(count) {
    this.pause();
    this.goToStep(Math.max(0, Math.min(this.lead.t.length - 1, this.step + count)));
  }

  goTo(when) {
    this.pause();
    this.goToStep(nearest(this.lead.t, this.leadTime(when)));
  }

  goToStep(step) {
    this.show(step, this.lead.t[step], true);
  }

  show(step, now, always) {
    const same = step === this.step && !always;
    this.now = now;
    this.step = step;
    if (same) return;
    const when = this.lead.t[step];
    for (const stage of this.stages) stage.show(nearest(stage.run.t, this.timeOf(stage.run, when)), false);
    this.settle();
    this.plots.show(this.timeOf(this.run, when));
    this.item.plots.show(this.timeOf(this.run, when));
    this.parts.scrub.value = step;
    const text = timeText(when, this.lead.t);
    this.parts.clock.textContent = `t = ${text} s`;
    this.parts.scrub.setAttribute('aria-valuetext', `${text} seconds of ${timeText(this.lead.t[this.lead.t.length - 1], this.lead.t)}`);
  }

  // names find their places when nothing moves any more
  settle() {
    clearTimeout(this.rest);
    if (!this.playing) this.rest = setTimeout(() => this.stages.forEach((one) => one.show(one.k, true)), 120);
  }

  // Runs that end earlier stay at their end; in a page that stretches them, all begin and end together.
  timeOf(run, when) {
    if (!this.data.stretch) return when;
    const [t, all] = [run.t, this.lead.t];
    const share = (when - all[0]) / Math.max(all[all.length - 1] - all[0], 1e-300);
    return t[0] + share * (t[t.length - 1] - t[0]);
  }

  // the time in a plot, for the leading run
  leadTime(when) {
    if (!this.data.stretch) return when;
    const [t, all] = [this.run.t, this.lead.t];
    return all[0] + ((when - t[0]) / Math.max(t[t.length - 1] - t[0], 1e-300)) * (all[all.length - 1] - all[0]);
  }

  // -- what is shown --------------------------------------------------------------------------------------------
  switches() {
    this.boxes = {};
    const add = (key, words, on, act) => {
      const box = make('input', {type: 'checkbox'});
      box.checked = on;
      box.addEventListener('change', () => act(box.checked));
      this.boxes[key] = box;
      this.parts.switches.append(make('label', {}, box, ` ${words}`));
    };
    const few = this.stages.every((one) => one.names.names.length <= MOST_NAMES);
    this.stages.forEach((one) => one.names.show(few));
    if (this.stages.some((one) => one.names.names.length)) add('n', 'names', few, (on) => this.stages.forEach((one) => one.setNames(on)));
    add('t', 'paths', true, (on) => this.stages.forEach((one) => one.setTraces(on)));
    for (const [key, kind, words] of [['v', 'velocity', 'velocities'], ['f', 'force', 'forces'], ['r', 'reaction', 'reactions']]) {
      if (!this.stages.some((one) => one.has(kind))) continue;
      add(key, words, this.runs.some((run) => run.shown.includes(kind)), (on) => this.stages.forEach((one) => one.setKind(kind, on)));
    }
    if (this.runs.some((run) => run.series.some((one) => /\brad\b/.test(one.unit)))) {
      add('g', 'degrees', false, (on) => this.setDegrees(on));
    }
  }

  setDegrees(on) {
    this.degrees = on;
    this.replot();
    this.choose(this.chosen || '');
  }

  setDark(dark) {
    theme.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    const button = document.getElementById('theme');
    button.setAttribute('aria-pressed', dark);
    this.stages.forEach((one) => one.paint());
    this.plots.resize();
    this.item.plots.resize();
    this.goToStep(this.step);
  }

  help() {
    const list = document.getElementById('keys');
    list.hidden = !list.hidden;
    document.getElementById('help').setAttribute('aria-expanded', !list.hidden);
    list.replaceChildren(make('dl', {}, ...KEYS.flatMap(([key, words]) => [make('dt', {}, key), make('dd', {}, words)])));
  }

  resize() {
    this.stages.forEach((one) => one.resize());
    this.plots.resize();
    this.item.plots.resize();
    this.goToStep(this.step);
  }

  // -- series ---------------------------------------------------------------------------------------------------
  line(run, series, from = '') {
    if (!this.degrees || !/\brad\b/.test(series.unit)) return {...series, t: run.t, from};
    const values = series.values.map((one) => one * (180 / Math.PI));
    values.step = series.values.step * (180 / Math.PI);
    const [unit, axis] = [series.unit, series.axis].map((text) => text.replace(/\brad\b/, 'deg'));
    return {...series, values, unit, axis, t: run.t, from};
  }

  setRun(stage) {
    this.stage = stage;
    this.run = stage.run;
    this.stages.forEach((one) => one.element.classList.toggle('current', this.stages.length > 1 && one === stage));
    this.plotted = [...this.run.plots];
    const names = this.run.series.map((one) => one.name);
    this.parts.add.replaceChildren(make('option', {value: ''}, 'a series'), ...names.map((one) => make('option', {value: one}, one)));
    this.item.list(this.run);
    this.item.show('');
    this.replot();
  }

  replot() {
    const runs = this.together ? this.runs : [this.run];
    this.plots.set(this.plotted.flatMap((name) => runs.flatMap((run) => {
      const found = run.series.find((one) => one.name === name);
      return found ? [this.line(run, found, runs.length > 1 ? run.title : '')] : [];
    })));
    this.plots.show(this.timeOf(this.run, this.lead.t[this.step]));
  }

  plot(name) {
    this.parts.add.value = '';
    if (name && !this.plotted.includes(name)) this.plotted.push(name);
    this.replot();
  }

  unplot(name) {
    this.plotted = this.plotted.filter((one) => one !== name);
    this.replot();
  }

  clicked(stage, item) {
    if (stage !== this.stage) this.setRun(stage);
    this.choose(item);
  }

  choose(item) {
    this.chosen = item;
    this.item.show(item);
    this.item.plots.show(this.timeOf(this.run, this.lead.t[this.step]));
    this.stages.forEach((one) => one.choose(one === this.stage || this.together ? item : ''));
  }
}

function keys(page) {
  const turns = {ArrowLeft: [-24, 0], ArrowRight: [24, 0], ArrowUp: [0, -24], ArrowDown: [0, 24]};
  document.addEventListener('keydown', (event) => {
    const tag = event.target.tagName;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.altKey || event.metaKey || tag === 'SELECT' || tag === 'PRE') return;
    if (tag === 'INPUT' && (event.target.type === 'range' ? key.startsWith('Arrow') || key === 'Home' || key === 'End' : key === ' ')) return;
    if ((tag === 'BUTTON' || tag === 'SUMMARY') && (key === ' ' || key === 'Enter')) return;
    if (event.ctrlKey && !key.startsWith('Arrow')) return;
    const acts = {
      ' ': () => page.toggle(), k: () => page.toggle(),
      ArrowLeft: () => page.stepBy(event.ctrlKey ? -10 : -1), ArrowRight: () => page.stepBy(event.ctrlKey ? 10 : 1),
      Home: () => page.stepBy(-Infinity), End: () => page.stepBy(Infinity),
      '+': () => page.stage.zoomBy(1.3), '=': () => page.stage.zoomBy(1.3), '-': () => page.stage.zoomBy(1 / 1.3), 0: () => page.stage.fit(),
      d: () => page.setDark(!theme.dark), '?': () => page.help(),
    };
    for (const [name, box] of Object.entries(page.boxes)) acts[name] = () => box.click();
    if (event.shiftKey && turns[key]) acts[key] = () => page.stage.turnBy(...turns[key]);
    if (!Object.hasOwn(acts, key)) return;
    event.preventDefault();
    acts[key]();
  });
}

async function begin() {
  const fault = document.getElementById('fault');
  try {
    theme.dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = theme.dark ? 'dark' : 'light';
    document.getElementById('theme').setAttribute('aria-pressed', theme.dark);
    const page = new Page(await unpack(document.getElementById('data').textContent));
    document.documentElement.dataset.ready = 'yes';
    if (page.data.play && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) page.play();
  } catch (error) {
    fault.hidden = false;
    fault.textContent = typeof DecompressionStream === 'undefined'
      ? 'This page needs a browser of 2023 or later.' : `The page cannot be shown: ${error.message}`;
    throw error;
  }
}

begin();
