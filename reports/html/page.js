// Actions of a page: charts that fit their place, tables that sort and filter, and the theme.

const data = JSON.parse(document.getElementById("data").textContent);
const PRINT_WIDTH = 700;

/** Sorting by buttons in a table's head; what is sorted by is said by aria-sort. */
function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  const keyOf = (cell) => cell.dataset.sort === undefined ? cell.textContent.trim()
    : Number(cell.dataset.sort);
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
    : typeof a !== typeof b ? (typeof a === "number" ? 1 : -1)
      : a.localeCompare(b, "en", {numeric: true});
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("n") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const keys = new Map(rows.map((row) => [row, keyOf(row.cells[column])]));
      const sorted = [...rows].sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
      table.tBodies[0].append(...sorted);
    });
  });
}

/** A form whose fields say which rows of a table are shown. */
function makeFilter(form) {
  const table = document.getElementById(form.dataset.filter);
  const rows = [...table.tBodies[0].rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const said = form.querySelector("output");
  const apply = () => {
    const wanted = form.elements.namedItem("text").value.toLowerCase();
    const choices = [...form.querySelectorAll("select")].filter((each) => each.value !== "");
    let shown = 0;
    for (const row of rows) {
      row.hidden = !texts.get(row).includes(wanted) ||
        choices.some((each) => row.dataset[each.name] !== each.value);
      shown += row.hidden ? 0 : 1;
    }
    said.textContent = `${shown.toLocaleString("en-US")} of ` +
      `${rows.length.toLocaleString("en-US")} ${form.dataset.what}`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

let metric = null;

function drawFigure(figure, width) {
  const places = figure.querySelectorAll(".plot");
  places.forEach((place) => place.replaceChildren());
  const wide = Math.max(260, width || places[0].clientWidth);
  if (figure.dataset.chart === "distributions") {
    if (metric === null) return;
    drawShares(places[0], metric, data.cells, wide);
    drawBoxes(places[1], metric, data.cells, wide);
  } else {
    drawLines(places[0], data.charts.find((each) => each.id === figure.dataset.chart), wide);
  }
}

function drawAll(width) {
  document.querySelectorAll("figure[data-chart]").forEach((figure) => drawFigure(figure, width));
}

function chooseMetrics() {
  const form = document.getElementById("metric");
  if (form === null || data.metrics.length === 0) return;
  const select = form.querySelector("select");
  for (const each of data.metrics) select.add(new Option(each.name, each.name));
  const show = () => {
    metric = data.metrics.find((each) => each.name === select.value);
    form.querySelector("output").textContent = metric.what;
    fillQuantiles(document.getElementById("quantile-table"), metric, data.cells);
    drawFigure(document.querySelector('figure[data-chart="distributions"]'));
  };
  select.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  show();
}

function offerThemes() {
  const label = document.getElementById("theme");
  const select = label.querySelector("select");
  select.addEventListener("change", () => {
    if (select.value === "") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = select.value;
  });
  label.hidden = false;
}

offerThemes();
document.querySelectorAll("table[data-sortable]").forEach(makeSortable);
document.querySelectorAll("form[data-filter]").forEach(makeFilter);
chooseMetrics();
drawAll();
let drawnWidth = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth !== drawnWidth) drawAll();
  drawnWidth = window.innerWidth;
});
window.addEventListener("beforeprint", () => drawAll(PRINT_WIDTH));
window.addEventListener("afterprint", () => drawAll());
