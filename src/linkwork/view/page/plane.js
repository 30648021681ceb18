// A planar scene as SVG. What is fixed to a body is drawn once and only moved; the rest is drawn anew at every time.
// Lengths: metres by `scale` pixels each, symbols by `p` pixels a point, whatever the zoom.

const MARGIN = 40;
const HATCH = 6;

class Plane {
  constructor(run, poses, svg) {
    this.run = run;
    this.poses = poses;
    this.group = makeSvg('g', {class: 'scene'});
    svg.append(this.group);
    this.traces = makeSvg('g', {class: 'traces'});
    this.parts = [
      ...run.shapes.map((one) => ({one, moves: !ownTurn(one)})),
      ...run.connectors.map((one) => ({one, moves: true, connector: true})),
    ];
    const layer = (part) => part.one.layer ?? 3;
    this.parts.sort((a, b) => layer(a) - layer(b));
    let traced = false;
    for (const part of this.parts) {
      const {one} = part;
      const round = one.kind === 'circle' && !part.connector;
      part.element = makeSvg(round ? 'circle' : 'path', {'stroke-linejoin': 'round', 'stroke-linecap': 'round'});
      part.element.item = one.item || '';
      if (one.role === 'trace') part.element.classList.add('traced');
      if (!traced && layer(part) > 5.4) {
        this.group.append(this.traces);
        traced = true;
      }
      this.group.append(part.element);
      if (one.kind === 'hatch') {
        part.strokes = makeSvg('path', {'stroke-linecap': 'round', fill: 'none'});
        part.strokes.item = one.item || '';
        part.element.before(part.strokes);
      }
    }
    if (!traced) this.group.append(this.traces);
    this.middle = times(plus(run.low, run.high), 0.5);
    this.zoom = 1;
    this.pan = [0, 0];
    this.chosen = '';
  }

  // Size of the drawing in pixels; everything is drawn anew.
  resize(width, height, p) {
    [this.width, this.height, this.p] = [width, height, p];
    const {low, high} = this.run;
    const extent = [high[0] - low[0], high[1] - low[1]];
    const most = Math.max(...extent);
    const room = [width - 2 * MARGIN * p, height - 2 * MARGIN * p].map((one) => Math.max(one, 20));
    this.fitted = Math.min(...room.map((one, i) => one / Math.max(extent[i], 0.05 * most)));
    this.moved();
  }

  moved() {
    this.scale = this.fitted * this.zoom;
    this.outlines();
  }

  project(point) {
    return [
      0.5 * this.width + this.pan[0] + this.scale * (point[0] - this.middle[0]),
      0.5 * this.height + this.pan[1] - this.scale * (point[1] - this.middle[1]),
    ];
  }

  // paths of what is fixed to bodies, in pixels along the axes of the body
  outlines() {
    for (const part of this.parts) {
      this.paint(part);
      if (part.moves) continue;
      const {one} = part;
      // what is on the ground is given from the middle of the scene: far from the origin, pixels would run out of digits
      part.from = this.poses.index.get(one.body) < 0 ? this.middle : [0, 0];
      part.local = localVertices(one, this.p / this.scale).map(([x, y]) => [
        this.scale * (x - part.from[0]), -this.scale * (y - part.from[1])]);
      this.outline(part, part.local, one.side ? [one.side[0], -one.side[1]] : null);
    }
    this.drawTraces();
  }

  outline(part, corners, side) {
    const {one, element} = part;
    if (element.tagName === 'circle') {
      element.setAttribute('cx', corners[0][0]);
      element.setAttribute('cy', corners[0][1]);
      element.setAttribute('r', (one.radius || 0) * this.scale + (one.size || 0) * this.p);
      return;
    }
    element.setAttribute('d', pathOf(corners, one.kind === 'area'));
    if (part.strokes) part.strokes.setAttribute('d', this.hatching(corners, side));
  }

  hatching(corners, side) {
    const [start, end] = [corners[0], corners[corners.length - 1]];
    const along = unit(minus(end, start));
    const into = unit(side);
    const size = length(minus(end, start));
    const count = Math.max(2, Math.round(size / (4.6 * this.p)));
    let found = '';
    for (let k = 0; k < count; k++) {
      const foot = plus(start, times(along, (size * (k + 0.75)) / count));
      const tip = plus(foot, times(minus(into, times(along, 0.8)), HATCH * this.p));
      found += `M${foot[0].toFixed(2)} ${foot[1].toFixed(2)}L${tip[0].toFixed(2)} ${tip[1].toFixed(2)}`;
    }
    return found;
  }

  paint(part) {
    const {one, element} = part;
    const chosen = this.chosen !== '' && one.item === this.chosen;
    const width = (one.width ?? 1.1) * this.p;
    element.setAttribute('fill', one.kind === 'line' || one.kind === 'hatch' ? 'none' : toned(one.face || 'none'));
    element.setAttribute('stroke', chosen && width ? 'var(--chosen)' : toned(one.edge || INK));
    element.setAttribute('stroke-width', chosen && width ? width + 1.4 : width);
    if (one.dash) element.setAttribute('stroke-dasharray', one.dash.map((d) => d * width).join(' '));
    if (part.strokes) {
      part.strokes.setAttribute('stroke', toned(GREY));
      part.strokes.setAttribute('stroke-width', 0.75 * this.p);
    }
  }

  choose(item) {
    this.chosen = item;
    this.parts.forEach((part) => this.paint(part));
  }

  draw(k) {
    this.k = k;
    for (const part of this.parts) {
      const {one} = part;
      if (part.moves) {
        const point = this.p / this.scale;
        const world = part.connector ? between(one, this.poses, k, point) : vertices(one, this.poses, k, point);
        const turn = one.side && turned(this.poses.axes(one.turn || one.body, k), one.side);
        part.now = world.map((place) => this.project(place));
        this.outline(part, part.now, turn ? [turn[0], -turn[1]] : null);
        continue;
      }
      const b = this.poses.index.get(one.body);
      const [x, y] = this.project(b < 0 ? part.from : this.poses.place(b, k));
      const angle = b < 0 ? 0 : (-180 / Math.PI) * this.poses.turns[b][0][k];
      const move = `translate(${x.toFixed(3)} ${y.toFixed(3)}) rotate(${angle.toFixed(4)})`;
      part.element.setAttribute('transform', move);
      if (part.strokes) part.strokes.setAttribute('transform', move);
    }
  }

  setTraces(traces) {
    this.paths = traces;
    this.drawTraces();
  }

  drawTraces() {
    this.traces.replaceChildren(...(this.paths || []).map((points) => makeSvg('path', {
      d: pathOf(points.map((one) => this.project(one))), fill: 'none', stroke: toned('#b3261e'), 'stroke-width': 1.1 * this.p,
    })));
  }

  showTracers(on) {
    this.group.classList.toggle('untraced', !on);
  }

  // places that names should not cover
  samples() {
    const found = [];
    for (const part of this.parts) {
      if (part.one.role === 'trace') continue;
      let corners = part.now;
      if (!part.moves) {
        const b = this.poses.index.get(part.one.body);
        const at = this.project(b < 0 ? part.from : this.poses.place(b, this.k));
        const [c, s] = b < 0 ? [1, 0] : this.poses.axes(b, this.k)[0];
        corners = part.local.map(([x, y]) => [at[0] + c * x + s * y, at[1] - s * x + c * y]);
      }
      if (part.element.tagName === 'circle') {
        const r = Number(part.element.getAttribute('r'));
        for (let i = 0; i < 12; i++) {
          found.push([corners[0][0] + r * Math.cos(i / 1.9), corners[0][1] + r * Math.sin(i / 1.9)]);
        }
      } else {
        along(corners, part.one.kind === 'area', 6, found);
      }
    }
    return found;
  }

  pick(x, y, root) {
    for (const [dx, dy] of AROUND) {
      for (const element of root.elementsFromPoint(x + dx, y + dy)) {
        if (element.item && this.group.contains(element)) return element.item;
      }
    }
    return '';
  }
}

// where a click looks for something, the nearest places first
const AROUND = [[0, 0]];
for (const reach of [4, 8]) {
  for (let k = 0; k < 8; k++) AROUND.push([reach * Math.cos(k * Math.PI / 4), reach * Math.sin(k * Math.PI / 4)]);
}

function pathOf(points, closed) {
  let found = '';
  for (let k = 0; k < points.length; k++) found += `${k ? 'L' : 'M'}${points[k][0].toFixed(2)} ${points[k][1].toFixed(2)}`;
  return found + (closed ? 'Z' : '');
}

// points on a line, no further apart than a step
function along(corners, closed, step, found) {
  const last = closed ? corners.length : corners.length - 1;
  for (let k = 0; k < last; k++) {
    const a = corners[k];
    const b = corners[(k + 1) % corners.length];
    const count = Math.min(200, 1 + Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / step));
    for (let i = 0; i < count; i++) found.push([a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count]);
  }
}
