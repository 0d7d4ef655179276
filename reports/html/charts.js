"use strict";
// Parts of charts: words for values, axes, and lines over time. Colours are classes of the
// style sheet, so that a chart follows the page's theme and its print.

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "6 2 2 2 2 2"];
const SECOND = 1e6, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** "03:12:07", "2d 03:12:07", as the texts of the program have it. */
function durationText(us) {
  if (us < 0) return "−" + durationText(-us);
  if (us < 100 * SECOND) return us === 0 ? "0 s" : +(us / SECOND).toPrecision(3) + " s";
  const seconds = Math.round(us / SECOND);
  const two = (number) => String(number).padStart(2, "0");
  const days = Math.floor(seconds / 86400);
  const clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    .map((number) => two(Math.floor(number))).join(":");
  return days > 0 ? days + "d " + clock : clock;
}

/** What stands at a tick of an axis of time. */
function tickText(us) {
  const parts = [[DAY, " d"], [HOUR, " h"], [MINUTE, " min"], [SECOND, " s"]].map(
    ([unit, name], i, all) => [Math.floor((i ? us % all[i - 1][0] : us) / unit), name]);
  return parts.filter(([count]) => count > 0).map((each) => each.join("")).join(" ") || "0";
}

/** Ticks of an axis of time: whole days, hours, minutes, and no more than there is room for. */
function timeTicks(from, to, count) {
  const steps = [1, 2, 5, 10, 30].map((n) => n * SECOND)
    .concat([1, 2, 5, 10, 30].map((n) => n * MINUTE), [1, 2, 3, 6, 12].map((n) => n * HOUR),
      [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => n * DAY));
  const step = steps.find((each) => (to - from) / each <= count);
  if (!step || to - from < 4 * SECOND) {
    const ticks = d3.ticks(from, to, count);
    return {ticks, text: (us) => +(us / SECOND).toPrecision(6) + " s"};
  }
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return {ticks, text: tickText};
}

function numberText(value, share) {
  if (share) {
    const percent = value * 100;
    return (percent >= 0.001 && percent < 0.1 ? percent.toPrecision(1) : percent.toFixed(1)) + " %";
  }
  return Number.isInteger(value) ? value.toLocaleString("en-US") : String(+value.toPrecision(5));
}

/** An empty plot of a size, its axes drawn; gives what draws in it. */
function emptyPlot(place, options) {
  const {width, height, x, y, yTitle, timed, yFormat, whole, name} = options;
  const margin = {left: 78, right: 20, top: 14, bottom: 30};
  const inner = {width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom};
  const scaleX = d3.scaleLinear().domain(x).range([0, inner.width]);
  const scaleY = d3.scaleLinear().domain(y).range([inner.height, 0]);
  const svg = d3.select(place).append("svg").attr("viewBox", `0 0 ${width} ${height}`)
    .attr("role", "img").attr("aria-label", name);
  const area = svg.append("g").attr("transform", `translate(${margin.left},${margin.top})`);
  const count = Math.max(2, Math.floor(inner.width / 90));
  const axisX = d3.axisBottom(scaleX).ticks(count).tickSizeOuter(0);
  if (timed) {
    const {ticks, text} = timeTicks(x[0], x[1], count);
    axisX.tickValues(ticks).tickFormat(text);
  }
  const ticksY = scaleY.ticks(5).filter((tick) => !whole || Number.isInteger(tick));
  area.append("g").attr("class", "grid")
    .call(d3.axisLeft(scaleY).tickValues(ticksY).tickSize(-inner.width).tickFormat(""));
  area.append("g").attr("class", "axis").attr("transform", `translate(0,${inner.height})`)
    .call(axisX);
  const axisY = d3.axisLeft(scaleY).tickValues(ticksY).tickSizeOuter(0)
    .tickFormat(yFormat || d3.format(",~r"));
  area.append("g").attr("class", "axis").call(axisY);
  area.append("text").attr("x", -inner.height / 2).attr("y", -64).attr("transform", "rotate(-90)")
    .attr("text-anchor", "middle").text(yTitle);
  return {svg, area, scaleX, scaleY, inner, margin};
}

/** Which line is which, by dashes as well as by colour. */
function legend(place, names) {
  const items = d3.select(place).append("ul").attr("class", "legend").selectAll("li")
    .data(names).enter().append("li");
  items.append("svg").attr("viewBox", "0 0 36 10").attr("aria-hidden", "true")
    .append("line").attr("x1", 0).attr("x2", 36).attr("y1", 5).attr("y2", 5)
    .attr("class", (name, i) => "line s" + i % 8)
    .attr("stroke-dasharray", (name, i) => DASHES[i % 8]);
  items.append("span").text((name) => name);
}

function valueAt(points, at, steps) {
  let low = 0, high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= at) low = middle + 1; else high = middle;
  }
  if (low === 0) return null;
  const before = points[low - 1], after = points[low];
  if (steps || !after || after[0] === before[0]) return before[1];
  return before[1] + (after[1] - before[1]) * (at - before[0]) / (after[0] - before[0]);
}

/** A line that follows the pointer, or the arrow keys, and the values at it in words. */
function cursor(place, plot, words, step) {
  const line = plot.area.append("line").attr("class", "cursor").attr("y2", plot.inner.height)
    .attr("visibility", "hidden");
  const readout = d3.select(place).append("output").attr("class", "readout")
    .attr("aria-live", "polite");
  const [from, to] = plot.scaleX.domain();
  let at = from;
  const show = (wanted) => {
    at = Math.min(to, Math.max(from, wanted));
    line.attr("visibility", "visible").attr("x1", plot.scaleX(at)).attr("x2", plot.scaleX(at));
    readout.text(words(at));
  };
  const svg = plot.svg.node();
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * (svg.viewBox.baseVal.width / box.width);
    show(plot.scaleX.invert(x - plot.margin.left));
  });
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    const moves = {ArrowLeft: -step, ArrowRight: step, Home: from - at, End: to - at};
    if (!(event.key in moves)) return;
    event.preventDefault();
    show(at + moves[event.key]);
  });
}

/** The ends of both axes: from 0 on, or for a chart that fits where its points and bands end. */
function domainsOf(chart) {
  const all = chart.series.flatMap((series) => series.points);
  const last = d3.max(all, (point) => point[0]);
  if (!chart.fits) {
    return {x: [0, Math.max(1, last)], y: [0, chart.share ? 1 : 1.06 * Math.max(1,
      d3.max(all, (point) => point[1]), d3.max(chart.levels, (level) => level.value) || 0)]};
  }
  const values = all.map((point) => point[1])
    .concat(chart.series.flatMap((series) => series.low.concat(series.high)));
  const wider = ([low, high], part, least) => {
    const room = Math.max((high - low) * part, least);
    return [low - room, high + room];
  };
  const y = wider(d3.extent(values), 0.08, 1e-3);
  return {x: wider(d3.extent(all, (point) => point[0]), 0.03, chart.timed ? SECOND : 0.1),
    y: chart.share ? [Math.max(0, y[0]), Math.min(1, y[1])] : y};
}

/** Lines, most of them over time, with bands, and levels and places to hold them against. */
function drawLines(place, chart, width) {
  const {x, y} = domainsOf(chart);
  const many = chart.series.length > 1;
  if (many) legend(place, chart.series.map((series) => series.name));
  const plot = emptyPlot(place, {width, height: width < 500 ? 240 : 300, x, y,
    yTitle: chart.y, timed: chart.timed, whole: !chart.share,
    yFormat: chart.share ? d3.format(chart.fits ? ".3~p" : ".0%") : null,
    name: chart.title + ". Arrow keys move along it; a table of the same values follows."});
  const {area, scaleX, scaleY} = plot;
  const curve = chart.steps ? d3.curveStepAfter : d3.curveLinear;
  chart.levels.forEach((level) => {
    area.append("line").attr("class", "level").attr("x2", plot.inner.width)
      .attr("y1", scaleY(level.value)).attr("y2", scaleY(level.value));
    area.append("text").attr("x", plot.inner.width - 4).attr("y", scaleY(level.value) - 4)
      .attr("text-anchor", "end").text(level.name + ": " + numberText(level.value));
  });
  chart.marks.forEach((mark) => {
    const at = scaleX(mark.at), right = at > plot.inner.width / 2;
    area.append("line").attr("class", "level").attr("x1", at).attr("x2", at)
      .attr("y2", plot.inner.height);
    area.append("text").attr("x", at + (right ? -4 : 4)).attr("y", 10)
      .attr("text-anchor", right ? "end" : "start").text(mark.name);
  });
  chart.series.forEach((series, i) => {
    if (chart.fits) {
      area.selectAll(null).data(series.points).enter().append("circle").attr("class", "s" + i % 8)
        .attr("r", 3).attr("cx", (point) => scaleX(point[0]))
        .attr("cy", (point) => scaleY(point[1]));
    }
    if (series.low.length) {
      area.append("path").attr("class", "band s" + i % 8)
        .attr("d", d3.area().curve(curve).x((point) => scaleX(point[0]))
          .y0((point, k) => scaleY(series.low[k])).y1((point, k) => scaleY(series.high[k]))(
          series.points));
    }
    area.append("path").attr("class", "line s" + i % 8).attr("stroke-dasharray", DASHES[i % 8])
      .attr("d", d3.line().curve(curve).x((point) => scaleX(point[0]))
        .y((point) => scaleY(point[1]))(series.points));
  });
  const share = (value) => chart.fits ? (value * 100).toPrecision(4) + " %"
    : numberText(value, true);
  const words = (at) => "At " + (chart.timed ? durationText(at) : +at.toPrecision(4)) + ": " +
    chart.series.map((series) => {
      const value = valueAt(series.points, at, chart.steps);
      const text = value === null ? "-"
        : chart.share ? share(value) : numberText(Math.round(value));
      return (many ? series.name + " " : "") + text;
    }).join(", ");
  cursor(place, plot, words, (x[1] - x[0]) / 100);
}
