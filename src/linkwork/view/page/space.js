// A scene of space: solids that move with their bodies, an eye that goes around them.

const LIGHT = unit([-0.45, 0.55, 0.75]); // to the light: right, up, towards the eye

class Space {
  constructor(run, poses, canvas) {
    this.run = run;
    this.poses = poses;
    this.canvas = canvas;
    this.extent = Math.max(length(minus(run.high, run.low)), 1e-9);
    this.middle = times(plus(run.low, run.high), 0.5);
    this.rows = run.camera.rows;
    this.parallel = run.camera.parallel;
    this.zoom = 1;
    this.pan = [0, 0];
    this.chosen = '';
    this.paths = [];
    this.tracers = true;
    this.gl = Gl.on(canvas);
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.gl = new Gl(canvas, this.gl.gl);
      this.parts = null; // their buffers are gone
      this.build();
      this.draw(this.k);
    });
  }

  // -- where the eye is -----------------------------------------------------------------------------------------
  look(name) {
    this.rows = this.run.camera.views[name];
    this.parallel = name !== 'perspective';
    this.zoom = 1;
    this.pan = [0, 0];
    this.fit();
  }

  orbit(dx, dy) {
    const up = this.run.camera.up;
    let [right, , towards] = this.rows;
    const level = unit(cross(right, up)); // towards the eye, along the floor
    const turn = -0.008 * dx;
    const rise = Math.max(-1.56, Math.min(1.56, Math.asin(Math.max(-1, Math.min(1, dot(towards, up)))) + 0.008 * dy));
    const along = plus(times(level, Math.cos(turn)), times(right, Math.sin(turn)));
    towards = plus(times(along, Math.cos(rise)), times(up, Math.sin(rise)));
    right = unit(cross(up, along));
    this.rows = [right, cross(towards, right), towards];
  }

  seen(point) {
    const away = minus(point, this.middle);
    const local = this.rows.map((row) => dot(row, away));
    const w = this.parallel ? 1 : Math.max(1 - local[2] / this.run.camera.distance, 0.05);
    return [local[0] / w, local[1] / w, local[2]];
  }

  // a direction on the paper
  flatten(way) {
    return [dot(this.rows[0], way), dot(this.rows[1], way)];
  }

  project(point) {
    const [x, y] = this.seen(point);
    return [
      0.5 * this.width + this.pan[0] + this.scale * (x - this.centre[0]),
      0.5 * this.height + this.pan[1] - this.scale * (y - this.centre[1]),
    ];
  }

  fit() {
    const flat = range(8, (n) => this.seen([0, 1, 2].map((i) => ((n >> i) & 1 ? this.run.high : this.run.low)[i])));
    const low = [0, 1].map((i) => Math.min(...flat.map((one) => one[i])));
    const high = [0, 1].map((i) => Math.max(...flat.map((one) => one[i])));
    const most = Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
    const room = [this.width, this.height].map((one) => Math.max(20, one - 1.2 * MARGIN * this.p));
    this.fitted = Math.min(...room.map((one, i) => one / Math.max(high[i] - low[i], 0.05 * most)));
    this.centre = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
  }

  resize(width, height, p) {
    [this.width, this.height, this.p] = [width, height, p];
    this.ratio = Math.min(3, Math.max(2, window.devicePixelRatio || 1)); // thin edges need more than one dot a pixel
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.fit();
    this.moved();
  }

  moved() {
    this.scale = this.fitted * this.zoom;
    if (this.tone !== theme.dark) this.build();
  }

  // -- what there is --------------------------------------------------------------------------------------------
  // one part for each body and item; what turns with another body, and connectors, are made anew at every time
  build() {
    this.tone = theme.dark;
    const {run} = this;
    const parts = new Map();
    const partOf = (body, one, moving) => {
      const traced = one.role === 'trace';
      const key = JSON.stringify([body, one.item || '', moving, one.role === 'body', traced]);
      if (!parts.has(key)) {
        parts.set(key, {b: body, item: one.item || '', solid: new Solid(), moving, body: one.role === 'body', traced, own: []});
      }
      return parts.get(key);
    };
    const still = this.poses.axes(-1, 0);
    for (const shape of run.shapes) {
      const b = this.poses.index.get(shape.body);
      if (ownTurn(shape)) partOf(b, shape, false).solid.shape(shape, localVertices(shape, run.point), still, run.point);
      else partOf(-1, shape, true).own.push({shape});
    }
    for (const connector of run.connectors) partOf(-1, connector, true).own.push({connector});
    for (const part of this.parts || []) this.forget(part);
    this.parts = [...parts.values()];
    this.floor();
    this.parts.push({b: -1, item: '', solid: new Solid(), paths: true, own: []});
    for (const part of this.parts) if (this.gl && !part.moving) this.upload(part);
    this.tracePart();
  }

  upload(part) {
    part.from = part.b < 0 ? this.middle : [0, 0, 0];
    part.buffers = this.gl.upload(part.solid, part.from, part.buffers);
  }

  forget(part) {
    if (part.buffers) for (const one of [part.buffers.corners, part.buffers.edges]) this.gl.gl.deleteBuffer(one);
  }

  // a grid below everything
  floor() {
    const {up} = this.run.camera;
    const axis = up.findIndex((one) => one !== 0);
    const {low, high, point} = this.run;
    this.level = up[axis] * ((up[axis] > 0 ? low : high)[axis] - up[axis] * 18 * point);
    const step = roundNumber(0.22 * this.extent);
    const [one, two] = [0, 1, 2].filter((i) => i !== axis);
    const solid = new Solid();
    for (const [a, b] of [[one, two], [two, one]]) {
      const places = [low[a], high[a]];
      for (let k = Math.ceil(low[a] / step); k * step < high[a]; k++) places.push(k * step);
      for (const value of places) {
        solid.line([low[b], high[b]].map((end) => {
          const place = [0, 0, 0];
          [place[a], place[b], place[axis]] = [value, end, up[axis] * this.level];
          return place;
        }), {edge: '#d5dce1', width: 0.9}, point);
      }
    }
    this.parts.push({b: -1, item: '', solid, grid: true, own: []});
  }

  setTraces(paths) {
    this.paths = paths;
    this.tracePart();
  }

  tracePart() {
    const part = this.parts?.find((one) => one.paths);
    if (!part) return;
    part.solid = new Solid();
    for (const path of this.paths) part.solid.line(path, {edge: '#b3261e', width: 1.3}, this.run.point);
    if (this.gl) this.upload(part);
  }

  showTracers(on) {
    this.tracers = on;
  }

  choose(item) {
    this.chosen = item;
  }

  // -- drawing --------------------------------------------------------------------------------------------------
  draw(k) {
    const {run, poses} = this;
    this.k = k;
    for (const part of this.parts) {
      const axes = poses.axes(part.b, k);
      part.axes = axes;
      part.at = poses.place(part.b, k);
      // places are given from the middle of the scene
      part.place = {turn: axes.flat(), shift: minus(part.b < 0 ? this.middle : part.at, this.middle)};
      const chosen = this.chosen !== '' && part.item === this.chosen;
      part.tint = rgbOf(theme.dark ? '#ff9a5c' : '#e06020');
      part.share = chosen ? 0.55 : 0;
      if (!part.moving) continue;
      part.solid = new Solid();
      for (const {shape, connector} of part.own) {
        if (shape) {
          part.solid.shape(shape, vertices(shape, poses, k, run.point), poses.axes(shape.turn, k), run.point);
          continue;
        }
        const places = between(connector, poses, k, run.point);
        if (connector.kind !== 'tube') part.solid.line(places, connector, run.point);
        else for (let i = 0; i + 1 < places.length; i++) part.solid.surface(...cylinder(places[i], places[i + 1], connector.size * run.point, 1, 0, 18), connector);
      }
      if (this.gl) this.upload(part);
    }
    const shown = this.parts.filter((part) => !(part.traced && !this.tracers) && !(part.grid && this.parallel));
    const light = [0, 1, 2].map((i) => dot(LIGHT, this.rows.map((row) => row[i])));
    if (!this.gl) {
      paint(this, shown, light);
      return;
    }
    const {distance, up} = this.run.camera;
    const reach = 1.5 * this.extent;
    const [near, far] = [Math.max(0.05, 1 - reach / distance), 1 + reach / distance];
    const fall = 2 / (1 / far - 1 / near);
    const shared = {
      rows: [0, 1, 2].flatMap((i) => this.rows.map((row) => row[i])), // columns, as WebGL has them
      light, distance: this.parallel ? 0 : distance, reach, depth: [-1 - fall / near, fall],
      centre: this.centre, scale: [(2 * this.scale) / this.width, (2 * this.scale) / this.height],
      pan: [(2 * this.pan[0]) / this.width, (-2 * this.pan[1]) / this.height],
    };
    const floor = this.parallel ? null : {floorAxis: up, level: this.level - dot(up, this.middle), tint: rgbOf(toned('#e6eaed'))};
    this.gl.render(shared, this.ratio, shown, floor);
  }

  // -- asking ---------------------------------------------------------------------------------------------------
  world(part, corners, i) {
    return plus(part.at, turned(part.axes, [corners[i], corners[i + 1], corners[i + 2]]));
  }

  samples() {
    const found = [];
    for (const part of this.parts) {
      if (part.grid || part.paths) continue;
      const {corners, edges} = part.solid;
      const step = 9 * Math.max(1, Math.floor(corners.length / 9 / 400));
      for (let i = 0; i + 8 < corners.length; i += step) found.push(this.project(this.world(part, corners, i)));
      const lines = edges.filter((one) => one[6] > 0).slice(0, 300);
      for (const [a, b] of lines) {
        along([a, b].map((one) => this.project(plus(part.at, turned(part.axes, one)))), false, 8, found);
      }
    }
    return found;
  }

  // what is nearest to the eye at a place of the screen; lines count from a few pixels around them
  pick(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const at = [x - box.left, y - box.top];
    let best = ['', -Infinity];
    let line = ['', 8];
    for (const part of this.parts) {
      if (!part.item) continue;
      const {corners, edges} = part.solid;
      for (let i = 0; i < corners.length; i += 27) {
        const three = [0, 9, 18].map((j) => this.world(part, corners, i + j));
        const flat = three.map((one) => this.project(one));
        const side = (a, b) => (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
        const signs = [side(flat[0], flat[1]), side(flat[1], flat[2]), side(flat[2], flat[0])];
        if (!(signs.every((one) => one >= 0) || signs.every((one) => one <= 0))) continue;
        const whole = signs[0] + signs[1] + signs[2];
        if (!whole) continue;
        const depth = (signs[1] * this.seen(three[0])[2] + signs[2] * this.seen(three[1])[2] + signs[0] * this.seen(three[2])[2]) / whole;
        if (depth > best[1]) best = [part.item, depth];
      }
      for (const [a, b, , , , , flag] of edges) {
        if (flag < 2) continue;
        const [from, to] = [a, b].map((one) => this.project(plus(part.at, turned(part.axes, one))));
        const way = minus(to, from);
        const share = Math.max(0, Math.min(1, dot(minus(at, from), way) / Math.max(dot(way, way), 1e-9)));
        const apart = length(minus(at, plus(from, times(way, share))));
        if (apart < line[1]) line = [part.item, apart];
      }
    }
    return best[0] || line[0];
  }
}

// Without WebGL: faces and lines from the back to the front. Where faces cut each other the order may be wrong.
function paint(space, parts, light) {
  const context = space.canvas.getContext('2d');
  context.setTransform(space.ratio, 0, 0, space.ratio, 0, 0);
  context.clearRect(0, 0, space.width, space.height);
  const items = [];
  const depthOf = (places) => places.reduce((sum, one) => sum + space.seen(one)[2], 0) / places.length;
  const eye = space.parallel ? null : plus(space.middle, times(space.rows[2], space.run.camera.distance));
  for (const part of parts) {
    const {corners, edges} = part.solid;
    for (let i = 0; i < corners.length; i += 27) {
      const places = [0, 9, 18].map((j) => space.world(part, corners, i + j));
      const normal = turned(part.axes, [corners[i + 3], corners[i + 4], corners[i + 5]]);
      const towards = eye ? minus(eye, places[0]) : space.rows[2];
      const lit = dot(normal, light) * (dot(normal, towards) < 0 ? -1 : 1);
      const color = [6, 7, 8].map((j, n) => Math.round(255 * Math.min(1, (corners[i + j] * (1 - part.share) + part.tint[n] * part.share) * (0.74 + 0.3 * Math.max(lit, -0.4)))));
      items.push([depthOf(places), places, `rgb(${color})`, 0]);
    }
    for (const [a, b, left, right, color, width, flag] of edges) {
      const places = [a, b].map((one) => plus(part.at, turned(part.axes, one)));
      const towards = eye ? minus(eye, places[0]) : space.rows[2];
      const [l, r] = [left, right].map((one) => dot(turned(part.axes, one), towards) > 0);
      if (flag === 2 || (flag === 1 ? l || r : l !== r)) {
        items.push([depthOf(places) + 0.012 * space.extent - (part.grid ? 1e6 : 0), places, `rgb(${color.map((one) => Math.round(255 * one))})`, width]);
      }
    }
  }
  items.sort((one, other) => one[0] - other[0]);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const [, places, color, width] of items) {
    context.beginPath();
    places.forEach((one, i) => context[i ? 'lineTo' : 'moveTo'](...space.project(one)));
    context.fillStyle = color;
    context.strokeStyle = color;
    context.lineWidth = width || 0.6;
    if (!width) { context.closePath(); context.fill(); }
    context.stroke();
  }
}
