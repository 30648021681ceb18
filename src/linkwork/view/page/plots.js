// Plots of named series over time, one panel a unit, with a cursor at the time that is shown.

const LINES = ['#1f5f99', '#c8501e', '#2e7d4f', '#8a4a9e', '#8a6508', '#3a3a3a'];
const DASHES = ['', '6 2', '6 2 1.5 2', '2 2', '9 3', '4 2 1.5 2 1.5 2'];

class Plots {
  constructor(element, page, closable) {
    this.element = element;
    this.page = page;
    this.closable = closable;
    this.panels = [];
  }

  // lines: {name, unit, axis, words, values, t, from}; `from` says which run where there are several
  set(lines) {
    this.lines = lines;
    const units = new Map();
    for (const line of lines) units.set(line.unit, [...(units.get(line.unit) || []), line]);
    this.panels = [...units.values()].map((own) => new Panel(own, this));
    this.element.replaceChildren(...this.panels.map((one) => one.element));
    this.resize();
  }

  resize() {
    this.panels.forEach((one) => one.resize());
  }

  show(when) {
    this.panels.forEach((one) => one.show(when));
  }
}

class Panel {
  constructor(lines, plots) {
    this.lines = lines;
    this.page = plots.page;
    this.axis = lines[0].axis;
    const names = [...new Set(lines.map((one) => one.name))].join(', ');
    this.svg = makeSvg('svg', {role: 'img', 'aria-label': `${this.axis} over time: ${names}`});
    this.values = [];
    const keys = make('ul', {class: 'keys'});
    // a colour and dashes for each line; of several runs a colour for each name, dashes for each run
    const [all, runs] = ['name', 'from'].map((key) => [...new Set(lines.map((one) => one[key]))]);
    lines.forEach((line, i) => {
      line.color = LINES[(runs.length > 1 ? all.indexOf(line.name) : i) % LINES.length];
      line.dash = DASHES[(runs.length > 1 ? runs.indexOf(line.from) : i) % DASHES.length];
      const icon = makeSvg('svg', {width: 26, height: 10, 'aria-hidden': 'true'});
      line.sample = makeSvg('path', {d: 'M1 5H25', 'stroke-width': 2, 'stroke-dasharray': line.dash});
      icon.append(line.sample);
      const value = make('span', {class: 'value'});
      this.values.push(value);
      const title = line.from ? `${line.name} (${line.from})` : line.name;
      const key = make('li', {title: line.words}, icon, ` ${title} `, value);
      if (plots.closable) {
        const close = make('button', {type: 'button', 'aria-label': `remove ${title}`, class: 'close'}, '×');
        close.addEventListener('click', () => this.page.unplot(line.name));
        key.append(close);
      }
      keys.append(key);
    });
    this.element = make('div', {class: 'panel'}, make('h3', {}, this.axis), keys, this.svg);
    const go = (event) => {
      if (event.buttons !== 1 && event.type !== 'pointerdown') return;
      const box = this.svg.getBoundingClientRect();
      this.page.goTo(this.from + ((event.clientX - box.left - this.left) / this.across) * (this.until - this.from));
    };
    this.svg.addEventListener('pointerdown', go);
    this.svg.addEventListener('pointermove', go);
  }

  resize() {
    const width = Math.max(200, this.element.clientWidth);
    const height = 150;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.style.height = `${height}px`;
    this.from = Math.min(...this.lines.map((one) => one.t[0]));
    this.until = Math.max(...this.lines.map((one) => one.t[one.t.length - 1]));
    if (!(this.until > this.from)) this.until = this.from + 1;
    let low = Infinity;
    let high = -Infinity;
    for (const line of this.lines) for (const value of line.values) { low = Math.min(low, value); high = Math.max(high, value); }
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-9 * size || high === low) { // nothing changes: some room around it
      const room = size > 0 ? 0.5 * size : 1;
      [low, high] = [low - room, high + room];
    }
    const margin = 0.06 * (high - low);
    [this.low, this.high] = [low - margin, high + margin];
    const ticks = steps(this.low, this.high, 4);
    const texts = ticks.map((one) => tickText(one, ticks));
    this.left = 12 + 6.6 * Math.max(...texts.map((one) => one.length));
    this.right = width - 8;
    [this.top, this.bottom] = [6, height - 32];
    this.across = this.right - this.left;
    const parts = [];
    ticks.forEach((value, i) => {
      const y = this.y(value);
      parts.push(makeSvg('path', {class: 'grid', d: `M${this.left} ${y}H${this.right}`}));
      parts.push(makeSvg('text', {x: this.left - 5, y: y + 4, 'text-anchor': 'end'}, texts[i]));
    });
    const moments = steps(this.from, this.until, Math.max(3, Math.floor(width / 110)));
    for (const value of moments) {
      parts.push(makeSvg('path', {class: 'grid', d: `M${this.x(value)} ${this.top}V${this.bottom}`}));
      const text = {x: this.x(value), y: this.bottom + 14, 'text-anchor': this.x(value) > this.right - 12 ? 'end' : 'middle'};
      parts.push(makeSvg('text', text, tickText(value, moments)));
    }
    parts.push(makeSvg('text', {x: 0.5 * (this.left + this.right), y: height - 4, 'text-anchor': 'middle'}, 'time [s]'));
    parts.push(makeSvg('path', {class: 'frame', d: `M${this.left} ${this.top}V${this.bottom}H${this.right}`}));
    this.dots = [];
    this.lines.forEach((line) => {
      const color = toned(line.color);
      line.sample.setAttribute('stroke', color);
      let d = '';
      for (let k = 0; k < line.t.length; k++) d += `${k ? 'L' : 'M'}${this.x(line.t[k]).toFixed(1)} ${this.y(line.values[k]).toFixed(1)}`;
      parts.push(makeSvg('path', {d, class: 'line', stroke: color, 'stroke-dasharray': line.dash}));
      const spot = makeSvg('circle', {r: 3, fill: color});
      this.dots.push(spot);
    });
    this.cursor = makeSvg('path', {class: 'cursor'});
    this.svg.replaceChildren(...parts, this.cursor, ...this.dots);
  }

  x(t) { return this.left + (this.across * (t - this.from)) / (this.until - this.from); }

  y(value) { return this.bottom - ((this.bottom - this.top) * (value - this.low)) / (this.high - this.low); }

  show(when) {
    this.lines.forEach((line, i) => {
      const k = nearest(line.t, when);
      this.values[i].textContent = `${valueText(line.values[k], line.values.step)} ${line.unit}`;
      this.dots[i].setAttribute('cx', this.x(line.t[k]).toFixed(1));
      this.dots[i].setAttribute('cy', this.y(line.values[k]).toFixed(1));
    });
    this.cursor.setAttribute('d', `M${this.x(when).toFixed(1)} ${this.top}V${this.bottom}`);
  }
}

// round numbers between two, about so many
function steps(low, high, count) {
  const step = roundNumber((high - low) / count) || 1;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

function tickText(value, ticks) {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(value) || 1;
  const size = Math.max(...ticks.map(Math.abs));
  if (size >= 1e5 || size < 1e-3) return value === 0 ? '0' : value.toExponential(Math.max(0, Math.ceil(Math.log10(size / step) - 0.01))).replace('-', '−');
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace('-', '−');
}
