// A stage: the drawing of one run, with its names and arrows above it and a legend below it.

class Stage {
  constructor(run, number, page) {
    this.run = run;
    this.number = number;
    this.page = page;
    this.poses = new Poses(run);
    this.flat = run.dimension === 2;
    this.kinds = new Set(run.shown);
    const title = run.title;
    this.svg = makeSvg('svg', {class: 'overlay', 'aria-hidden': 'true'});
    this.canvas = this.flat ? null : make('canvas', {'aria-hidden': 'true'});
    this.view = make('div', {
      class: 'view', role: 'img', tabindex: '0', 'aria-label': `drawing of ${title}`,
    }, ...(this.canvas ? [this.canvas] : []), this.svg);
    this.legend = make('div', {class: 'legend'});
    this.buttons = make('div', {class: 'zoom', role: 'group', 'aria-label': `view of ${title}`});
    this.clock = make('span', {class: 'clock'});
    this.caption = make('figcaption', {}, make('span', {class: 'name'}, page.runs.length > 1 ? title : ''), this.clock, this.buttons);
    this.element = make('figure', {class: 'stage'}, this.caption, this.view, this.legend);
    this.renderer = this.flat ? new Plane(run, this.poses, this.svg) : new Space(run, this.poses, this.canvas);
    this.arrows = run.arrows.map((one) => {
      const element = makeSvg('g', {class: 'arrow'}, makeSvg('path', {fill: 'none', 'stroke-linecap': 'round'}), makeSvg('path'));
      this.svg.append(element);
      return {one, element, kind: one.scale ? one.role : ''};
    });
    this.names = new Names(run, this.poses, this.svg);
    this.traceNames = new Map(run.traces.map((one) => [one.name, run.t.reduce((found, _, k) => {
      found.push(one.points.map((part) => part[k]));
      return found;
    }, [])]));
    this.tracesOn = true;
    this.k = 0;
    this.controls();
  }

  has(kind) {
    return this.run.arrows.some((one) => one.scale && one.role === kind);
  }

  controls() {
    const add = (text, label, act) => {
      const button = make('button', {type: 'button', 'aria-label': label, title: label}, text);
      button.addEventListener('click', act);
      this.buttons.append(button);
    };
    add('+', 'nearer', () => this.zoomBy(1.3));
    add('−', 'further', () => this.zoomBy(1 / 1.3));
    add('fit', 'fit into the frame', () => this.fit());
    if (!this.flat) {
      for (const name of Object.keys(this.run.camera.views)) {
        add(name === 'perspective' ? '3D' : name, `${name} view`, () => this.look(name));
      }
    }
    gestures(this);
  }

  look(name) {
    this.renderer.look(name);
    this.again();
  }

  zoomBy(factor, at) {
    this.renderer.zoom = Math.max(0.1, Math.min(200, this.renderer.zoom * factor));
    const centre = at || [0.5 * this.renderer.width, 0.5 * this.renderer.height];
    this.renderer.pan = this.renderer.pan.map((one, i) => {
      const from = centre[i] - 0.5 * [this.renderer.width, this.renderer.height][i];
      return from - factor * (from - one);
    });
    this.again();
  }

  panBy(dx, dy) {
    this.renderer.pan = [this.renderer.pan[0] + dx, this.renderer.pan[1] + dy];
    this.again();
  }

  turnBy(dx, dy) {
    if (this.flat) return this.panBy(dx, dy);
    this.renderer.orbit(dx, dy);
    return this.again();
  }

  fit() {
    this.renderer.zoom = 1;
    this.renderer.pan = [0, 0];
    this.again();
  }

  again() {
    this.renderer.moved();
    this.measure();
    this.show(this.k, false);
    this.page.settle();
  }

  resize() {
    const width = Math.max(160, this.view.clientWidth);
    const {low, high} = this.run;
    const most = this.page.many ? 260 : Math.min(640, Math.max(240, 0.66 * window.innerHeight));
    let height = Math.min(0.72 * width, most);
    if (this.page.many) height = most;
    else if (this.flat) {
      const shape = (high[1] - low[1]) / Math.max(high[0] - low[0], 1e-9);
      height = Math.max(Math.min(200, most), Math.min(most, width * shape + 60));
    }
    this.view.style.height = `${Math.round(height)}px`;
    this.p = Math.max(0.72, Math.min(1.3, width / 560));
    this.svg.setAttribute('viewBox', `0 0 ${width} ${Math.round(height)}`);
    this.renderer.resize(width, Math.round(height), this.p);
    this.paint();
  }

  // colours, after the size or the theme has changed
  paint() {
    this.view.style.background = toned('#ffffff');
    this.renderer.moved();
    this.names.paint(this.p);
    this.measure();
    this.drawTraces();
    this.show(this.k, true);
  }

  show(k, still) {
    this.k = k;
    this.renderer.draw(k);
    for (const arrow of this.arrows) this.drawArrow(arrow, k);
    this.names.draw(k, this.renderer, still);
    if (this.page.data.stretch) this.clock.textContent = `${timeText(this.run.t[k], this.run.t)} s`;
  }

  drawArrow({one, element, kind}, k) {
    const [shaft, head] = element.children;
    const ends = kind && !this.kinds.has(kind) ? null : this.arrowEnds(one, k);
    element.style.display = ends ? '' : 'none';
    if (!ends) return;
    const color = toned(one.edge || INK);
    const p = this.p;
    const tip = ends[ends.length - 1];
    const back = ends[Math.max(0, ends.length - 8)];
    const way = unit(minus(tip, back));
    const size = ends.length > 2 ? 1 : Math.min(1, length(minus(tip, ends[0])) / (12 * p));
    const side = [-way[1], way[0]];
    const at = (along, across) => plus(plus(tip, times(way, -along * size * p)), times(side, across * size * p));
    head.setAttribute('d', pathOf([tip, at(8, 3.4), at(6, 0), at(8, -3.4)], true));
    head.setAttribute('fill', color);
    const line = ends.length > 2 ? ends.slice(0, -4) : [ends[0], at(5, 0)];
    shaft.setAttribute('d', pathOf(line));
    shaft.setAttribute('stroke', color);
    shaft.setAttribute('stroke-width', (one.width ?? 1.1) * p);
  }

  // the arrow as points in pixels, from tail to tip; null where it is too short to be seen
  arrowEnds(one, k) {
    const point = this.flat ? this.p / this.renderer.scale : this.run.point;
    let at = this.poses.anchor(one.at, k);
    if (one.kind === 'turn') {
      const sense = one.values[0][k] < 0 ? -1 : 1;
      const axis = this.flat ? null : turned(this.poses.axes(one.turn || 'ground', k), one.axis || [0, 0, 1]);
      const [x, y] = this.flat ? [[1, 0], [0, 1]] : basis(axis).slice(1);
      const found = [];
      for (let i = 0; i < 60; i++) {
        const turn = ((-35 + (230 * i) / 59) * Math.PI) / 180;
        const way = plus(times(x, Math.cos(turn)), times(y, Math.sin(turn)));
        found.push(this.renderer.project(plus(at, times(way, one.length * point))));
      }
      return sense < 0 ? found.reverse() : found;
    }
    const value = one.values.map((part) => part[k]);
    const size = length(value);
    if (!(size > 0)) return null;
    const way = one.scale ? times(value, one.scale) : times(value, (one.length * point) / size);
    if (one.aside) at = minus(plus(at, times(basis(value)[1], one.aside * point)), times(way, 0.5));
    else if (one.ends) at = minus(at, way);
    const ends = [this.renderer.project(at), this.renderer.project(plus(at, way))];
    return length(minus(ends[1], ends[0])) > 1.5 * this.p ? ends : null;
  }

  // -- what is shown --------------------------------------------------------------------------------------------
  setKind(kind, on) {
    if (on) this.kinds.add(kind); else this.kinds.delete(kind);
    this.measure();
    this.show(this.k, true);
  }

  setNames(on) {
    this.names.show(on);
    this.show(this.k, true);
  }

  setTraces(on) {
    this.tracesOn = on;
    this.drawTraces();
  }

  // the path of a point of a body, switched on or off
  trace(body, point, on) {
    const name = point ? `${body}.${point}` : body;
    if (!on) {
      this.traceNames.delete(name);
    } else {
      const b = this.poses.index.get(body);
      const local = this.run.points[b].find((one) => one[0] === point)[1];
      this.traceNames.set(name, Array.from(this.run.t, (_, k) => this.poses.point(b, local, k)));
    }
    this.drawTraces();
  }

  drawTraces() {
    this.renderer.setTraces(this.tracesOn ? [...this.traceNames.values()] : []);
    this.renderer.showTracers(this.tracesOn);
    this.show(this.k, !this.page.playing);
  }

  choose(item) {
    this.renderer.choose(item);
    this.show(this.k, !this.page.playing);
  }

  // the legend: a length to measure by, gravity, what arrows mean
  measure() {
    const found = [];
    const scale = this.renderer.scale;
    const bar = (metres, text, color, arrow) => {
      const width = Math.max(1, metres * scale);
      const icon = makeSvg('svg', {width: width + 4, height: 12, 'aria-hidden': 'true'});
      const stroke = {fill: 'none', stroke: color, 'stroke-width': 1.5};
      const ends = arrow ? `M${width - 4} 2L${width + 2} 6L${width - 4} 10` : `M2 2V10M${width + 2} 2V10`;
      icon.append(makeSvg('path', {d: `M2 6H${width + 2}${ends}`, ...stroke}));
      found.push(make('span', {}, icon, ` ${text}`));
    };
    if (this.flat || this.renderer.parallel) {
      const metres = roundNumber(70 / scale);
      bar(metres, lengthText(metres), 'currentColor', false);
    }
    const gravity = this.flat ? this.run.gravity.slice(0, 2) : this.renderer.flatten(this.run.gravity);
    if (length(gravity) > 0.2 * length(this.run.gravity) && length(this.run.gravity) > 0) {
      const [x, y] = unit([gravity[0], -gravity[1]]);
      const icon = makeSvg('svg', {width: 20, height: 20, viewBox: '-10 -10 20 20', 'aria-hidden': 'true'});
      const tip = [8 * x, 8 * y];
      const head = [plus(tip, [-5 * x + 3 * y, -5 * y - 3 * x]), tip, plus(tip, [-5 * x - 3 * y, -5 * y + 3 * x])];
      icon.append(makeSvg('path', {d: pathOf([[-8 * x, -8 * y], tip]) + pathOf(head), fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5}));
      found.push(make('span', {}, icon, ' gravity'));
    }
    for (const key of this.run.keys) {
      if (!this.kinds.has(key.text)) continue;
      const value = roundNumber(60 / (key.scale * scale));
      bar(value * key.scale, `${key.text} ${plain(value)} ${key.unit}`, toned(key.color), true);
    }
    if (!this.flat) {
      const icon = makeSvg('svg', {width: 40, height: 40, viewBox: '-20 -20 40 40', 'aria-hidden': 'true'});
      ['#c0392b', '#2e8b57', '#2456a6'].forEach((color, i) => {
        const way = this.renderer.flatten([0, 1, 2].map((j) => (i === j ? 1 : 0)));
        if (length(way) < 0.2) return;
        icon.append(makeSvg('path', {d: `M0 0L${12 * way[0]} ${-12 * way[1]}`, stroke: toned(color), 'stroke-width': 1.8}));
        icon.append(makeSvg('text', {x: 17 * way[0], y: 4 - 17 * way[1], fill: toned(color), 'font-size': 10, 'text-anchor': 'middle'}, 'xyz'[i]));
      });
      found.push(make('span', {}, icon));
    }
    for (const note of this.run.notes) found.push(make('span', {class: 'note'}, note));
    this.legend.replaceChildren(...found);
  }
}

// Drag to turn (space) or to move, with shift or two fingers to move; wheel and two fingers for nearer and further.
function gestures(stage) {
  const {view} = stage;
  const fingers = new Map();
  let moved = 0;
  view.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = fingers.size > 1 ? 100 : 0;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const [dx, dy] = minus(now, before);
    moved += Math.hypot(dx, dy);
    if (fingers.size === 1) {
      if (moved < 4) return;
      if (event.shiftKey || event.buttons === 4) stage.panBy(dx, dy); else stage.turnBy(dx, dy);
    } else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const box = view.getBoundingClientRect();
      const factor = length(minus(now, other)) / Math.max(1, length(minus(before, other)));
      stage.zoomBy(factor, [0.5 * (now[0] + other[0]) - box.left, 0.5 * (now[1] + other[1]) - box.top]);
      stage.panBy(0.5 * dx, 0.5 * dy);
    }
    fingers.set(event.pointerId, now);
  });
  const done = (event) => {
    if (!fingers.delete(event.pointerId) || event.type === 'pointercancel') return;
    if (moved < 4) stage.page.clicked(stage, stage.renderer.pick(event.clientX, event.clientY, document));
  };
  view.addEventListener('pointerup', done);
  view.addEventListener('pointercancel', done);
  view.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== view) return; // the page scrolls
    event.preventDefault();
    const box = view.getBoundingClientRect();
    stage.zoomBy(Math.exp(-0.0015 * event.deltaY), [event.clientX - box.left, event.clientY - box.top]);
  }, {passive: false});
}
