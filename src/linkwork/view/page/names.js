// Names beside what they name, where they cover least. They are placed while the motion stands still, go along while
// it plays, and a name that would lie on another one is not shown.

const RINGS = [0, 1, 1.5, 2.1, 3, 4];
const CROSSED = 500;

class Names {
  constructor(run, poses, svg) {
    this.poses = poses;
    this.group = makeSvg('g', {class: 'names'});
    svg.append(this.group);
    this.names = run.labels.map((label) => {
      const element = makeSvg('text', {'text-anchor': 'middle'}, label.text);
      if (label.italic) element.setAttribute('font-style', 'italic');
      this.group.append(element);
      return {label, element, offset: null};
    });
    this.shown = true;
  }

  paint(p) {
    this.p = p;
    for (const one of this.names) {
      one.size = Math.max(10, (one.label.size || 11.5) * p);
      one.element.setAttribute('font-size', one.size.toFixed(1));
      one.element.setAttribute('fill', toned(one.label.color || INK));
      one.half = [0.5 * one.element.getComputedTextLength() + 1, 0.5 * one.size];
      one.offset = null;
    }
  }

  show(on) {
    this.shown = on;
    this.group.style.display = on ? '' : 'none';
  }

  draw(k, renderer, still) {
    if (!this.shown || !this.names.length) return;
    const settle = still || this.names.some((one) => !one.offset);
    const drawn = settle ? new Grid(renderer.samples()) : null;
    const boxes = [];
    for (const one of this.names) {
      const at = renderer.project(this.poses.anchor(one.label.at, k));
      if (settle) one.offset = this.best(one, at, drawn, boxes, renderer);
      const middle = plus(at, one.offset);
      const box = [middle[0] - one.half[0], middle[1] - one.half[1], middle[0] + one.half[0], middle[1] + one.half[1]];
      const fits = !boxes.some((other) => meets(box, other)) && inside(box, renderer);
      one.element.style.display = fits ? '' : 'none';
      if (!fits) continue;
      boxes.push(box);
      one.element.setAttribute('x', middle[0].toFixed(2));
      one.element.setAttribute('y', (middle[1] + 0.35 * one.size).toFixed(2));
    }
  }

  best(one, at, drawn, boxes, renderer) {
    const reach = (one.label.reach || 8) * this.p;
    const far = RINGS[RINGS.length - 1] * reach + 2 * Math.max(...one.half);
    const near = drawn.around(at, far);
    let best = [Infinity, [0, 0]];
    const tryAt = (offset, price) => {
      const middle = plus(at, offset);
      const box = [middle[0] - one.half[0], middle[1] - one.half[1], middle[0] + one.half[0], middle[1] + one.half[1]];
      let score = price;
      for (const [x, y] of near) {
        if (x > box[0] - 2 && x < box[2] + 2 && y > box[1] - 2 && y < box[3] + 2) score += 1;
      }
      for (const other of boxes) if (meets(box, other)) score += CROSSED;
      if (!inside(box, renderer)) score += CROSSED;
      if (score < best[0]) best = [score, offset];
    };
    if (one.offset) tryAt(one.offset, -2); // stay where it was, if that is as good
    for (const ring of one.label.inside ? RINGS : RINGS.slice(1)) {
      for (let k = 0; k < (ring ? 16 : 1); k++) {
        const turn = Math.PI * (0.25 + k / 8);
        const way = [Math.cos(turn), -Math.sin(turn)];
        const more = Math.abs(way[0]) * one.half[0] + Math.abs(way[1]) * one.half[1];
        tryAt(times(way, ring ? ring * reach + more : 0), 1.5 * Math.abs(ring - 1) + 0.02 * k);
      }
    }
    return best[1];
  }
}

// points by the cell that they are in, so that looking around one place does not ask all of them
class Grid {
  constructor(points) {
    this.cells = new Map();
    for (const point of points) {
      const key = Grid.key(Math.floor(point[0] / 32), Math.floor(point[1] / 32));
      const known = this.cells.get(key);
      if (known) known.push(point); else this.cells.set(key, [point]);
    }
  }

  static key(column, row) {
    return column * 65536 + row;
  }

  around([x, y], reach) {
    const found = [];
    for (let column = Math.floor((x - reach) / 32); column * 32 <= x + reach; column++) {
      for (let row = Math.floor((y - reach) / 32); row * 32 <= y + reach; row++) {
        const own = this.cells.get(Grid.key(column, row));
        if (own) found.push(...own);
      }
    }
    return found;
  }
}

const meets = (a, b) => a[0] < b[2] + 2 && b[0] < a[2] + 2 && a[1] < b[3] + 1 && b[1] < a[3] + 1;
const inside = (box, {width, height}) => box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height;
