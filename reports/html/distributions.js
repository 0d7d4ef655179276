// How the values of a metric lie in each cell: the share of runs up to a value, and boxes. A cell
// is {n, mean, q, f, band}: q are its quantiles at PERCENTS, each [value] or [value, low, high]
// with its interval, f the steps [value, share] of its distribution function, and band is half the
// height of the band around that.

const CURVES_MOST = 8;
const PERCENTS = [0, 5, 25, 50, 75, 95, 100];

/** A value of a metric in words. */
function metricText(metric, value) {
  return metric.time ? durationText(value) : String(+value.toPrecision(5));
}

function rangeOf(metric) {
  const cells = metric.cells.filter((cell) => cell.n > 0);
  const low = d3.min(cells, (cell) => cell.q[0][0]);
  const high = d3.max(cells, (cell) => cell.q[6][0]);
  const room = (high - low) * 0.03 || Math.abs(high) * 0.05 || 1;
  return [low - (low < 0 || low - room >= 0 ? room : low), high + room];
}

function drawShares(place, metric, names, width) {
  const drawn = metric.cells.map((cell, i) => ({cell, i}))
    .filter((each) => each.cell.n > 0).slice(0, CURVES_MOST);
  const range = rangeOf(metric);
  if (drawn.length > 1) legend(place, drawn.map((each) => names[each.i]));
  const plot = emptyPlot(place, {width, height: width < 500 ? 240 : 300, x: range, y: [0, 1],
    yTitle: "runs up to it", timed: metric.time, yFormat: d3.format(".0%"),
    name: "Share of runs up to a value of " + metric.name +
      ". Arrow keys move along it; the table below has the quantiles."});
  const points = (cell) => [[range[0], 0]].concat(cell.f, [[range[1], 1]]);
  const clamped = (share) => plot.scaleY(Math.min(1, Math.max(0, share)));
  drawn.forEach(({cell}, k) => {
    plot.area.append("path").attr("class", "band s" + k % 8)
      .attr("d", d3.area().curve(d3.curveStepAfter).x((point) => plot.scaleX(point[0]))
        .y0((point) => clamped(point[1] - cell.band)).y1((point) => clamped(point[1] + cell.band))(
        points(cell)));
  });
  drawn.forEach(({cell}, k) => {
    plot.area.append("path").attr("class", "line s" + k % 8).attr("stroke-dasharray", DASHES[k % 8])
      .attr("d", d3.line().curve(d3.curveStepAfter).x((point) => plot.scaleX(point[0]))
        .y((point) => plot.scaleY(point[1]))(points(cell)));
  });
  const words = (at) => metric.name + " up to " + metricText(metric, at) + ": " +
    drawn.map(({cell, i}) => (drawn.length > 1 ? names[i] + " " : "") +
      numberText(valueAt(points(cell), at, true), true) + " of runs").join(", ");
  cursor(place, plot, words, (range[1] - range[0]) / 100);
}

function drawBoxes(place, metric, names, width) {
  const row = 48, margin = {left: 12, right: 20, top: 4, bottom: 30};
  const height = margin.top + row * metric.cells.length + margin.bottom;
  const range = rangeOf(metric);
  const x = d3.scaleLinear().domain(range).range([margin.left, width - margin.right]);
  const svg = d3.select(place).append("svg").attr("viewBox", `0 0 ${width} ${height}`)
    .attr("role", "img").attr("aria-label", "Boxes from the 25th to the 75th percentile of " +
      metric.name + ", whiskers from the 5th to the 95th, and below each box the interval of its " +
      "median; the table below has the same.");
  const count = Math.max(2, Math.floor(width / 110));
  const axis = d3.axisBottom(x).ticks(count).tickSizeOuter(0);
  if (metric.time) {
    const {ticks, text} = timeTicks(range[0], range[1], count);
    axis.tickValues(ticks).tickFormat(text);
  }
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
    .call(axis);
  metric.cells.forEach((cell, i) => {
    const top = margin.top + row * i, middle = top + 28, style = "s" + (i < CURVES_MOST ? i : 6);
    svg.append("text").attr("x", margin.left).attr("y", top + 14)
      .text(names[i] + (cell.n ? "" : ": no values"));
    if (!cell.n) return;
    const at = (percent) => x(cell.q[PERCENTS.indexOf(percent)][0]);
    const sure = cell.q[3];
    if (sure.length > 1) {
      svg.append("path").attr("class", "whisker sure " + style)
        .attr("d", `M${x(sure[1])} ${middle + 9}v5H${x(sure[2])}v-5`);
    }
    const whisker = `M${at(5)} ${middle - 5}v10M${at(5)} ${middle}H${at(25)}` +
      `M${at(75)} ${middle}H${at(95)}M${at(95)} ${middle - 5}v10`;
    svg.append("path").attr("class", "whisker " + style).attr("d", whisker);
    svg.append("rect").attr("class", "box " + style).attr("x", at(25)).attr("y", middle - 9)
      .attr("width", Math.max(1, at(75) - at(25))).attr("height", 18);
    svg.append("path").attr("class", "median " + style)
      .attr("d", `M${at(50)} ${middle - 9}v18`);
    for (const end of [0, 100]) {
      svg.append("circle").attr("class", style).attr("cx", at(end)).attr("cy", middle).attr("r", 2);
    }
    svg.append("path").attr("class", style)
      .attr("d", `M${x(cell.mean) - 5} ${middle}l5 -5 5 5 -5 5z`);
  });
}

/** The table of quantiles for another metric. */
function fillQuantiles(table, metric, names) {
  table.caption.textContent = metric.name + ": quantiles";
  const rows = metric.cells.map((cell, i) => {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = names[i];
    row.append(name);
    const add = (text, interval) => {
      const column = document.createElement("td");
      column.className = "n";
      column.textContent = text;
      if (interval) {
        const under = document.createElement("span");
        under.className = "interval";
        under.textContent = interval;
        column.append(under);
      }
      row.append(column);
    };
    add(cell.n.toLocaleString("en-US"));
    add(cell.n ? metricText(metric, cell.mean) : "-");
    PERCENTS.forEach((percent, k) => {
      const [value, low, high] = cell.n ? cell.q[k] : [];
      add(cell.n ? metricText(metric, value) : "-", low === undefined ? "" :
        metricText(metric, low) + " to " + metricText(metric, high));
    });
    return row;
  });
  table.tBodies[0].replaceChildren(...rows);
}
