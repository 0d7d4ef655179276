"""Pages of `report` in headless Chromium; see report_page.sh."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import browser

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
QUICK = "scenarios/quickstart.json"
# Texts that would run if any of them were taken for markup; names of jobs hold no slash.
IN_NAMES = '<img src=x onerror="window.hacked=1">\'&amp;'
EVIL = '</script><script>window.hacked=1</script><!--<svg onload="window.hacked=1">' + IN_NAMES + \
    "\u2028\u2029\u202e]]>"
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def run(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True,
                          timeout=600)
    check(done.returncode in (0, 1, 4), f"{words}: exit {done.returncode}: {done.stderr[-300:]}")


def spoil(value, key=""):
    """The same JSON with every text spoilt that a scenario, a policy or a file can choose."""
    if isinstance(value, dict):
        return {(name + EVIL if key in ("budgets", "causes") else name): spoil(each, name)
                for name, each in value.items()}
    if isinstance(value, list):
        return [spoil(each, key) for each in value]
    if not isinstance(value, str):
        return value
    if value.startswith("job:") and key == "on" or key == "name" and value == "llm":
        return value + IN_NAMES
    if key in ("id", "fault", "kind", "target", "rule", "rules", "sentence", "source", "from", "to",
               "budget", "cause", "reason", "policy", "type", "vendor_state", "verdict_reason",
               "warnings", "question", "version", "name", "at"):
        return value + EVIL
    return value


def spoilt_recording(path):
    """A recording that says in every place what nobody should believe."""
    out = path.with_name("spoilt.aftershock")
    lines = []
    for line in path.read_text().splitlines():
        record = json.loads(line)
        counter = record["name"] if record["r"] == "counter" else None
        what = record.get("what") if record["r"] == "fault" else None
        record = spoil(record)
        if counter:
            record["name"] = counter
        if what:
            record["what"] = what + EVIL
        if record["r"] == "summary":
            record["summary"]["verdict_reason"] = EVIL
            record["summary"]["warnings"] = [EVIL]
        lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
    # The last line would say that these are not as they were written.
    out.write_text("\n".join(lines[:-1]) + "\n")
    return out


def quiet(page, what):
    """Nothing complained, nothing was asked for but the file itself, and nothing of a name ran."""
    check(page.log == [], f"{what}: {page.log}")
    check(len(page.requests) == 1, f"{what}: asked for {page.requests}")
    check(page.ask("window.hacked") is None, f"{what}: a name was run")


def names_stay_names(page, folder, recording):
    spoilt = spoilt_recording(recording)
    for words in ([spoilt], [spoilt, recording], [recording, spoilt]):
        out = folder / "spoilt.html"
        run("report", *words, "--out", out, "--title", EVIL)
        page.open(out)
        quiet(page, f"spoilt names of {len(words)}")
        check(page.ask("document.querySelectorAll('img, main script, main svg[onload]').length")
              == 0, "a name became an element")
        check(page.ask("document.querySelector('h1').textContent").startswith("</script><script>"),
              "the title is there as it is written")
        check(page.ask("document.querySelectorAll('.plot svg .line').length") > 0,
              "charts of spoilt names are drawn")
        check(page.ask("document.querySelector('#fault-table').textContent").count("</script>") > 3,
              "names of faults are there as they are written")


def run_has_charts(page):
    quiet(page, "a run")
    check(page.ask("document.querySelectorAll('figure').length") == 3, "three charts of a run")
    check(page.ask("[...document.querySelectorAll('figure')].every((each) => "
                   "each.querySelector('path.line').getTotalLength() > 100 && "
                   "each.querySelector('details table tbody').rows.length > 5)"),
          "each has lines, and a table of the same")
    check(page.ask("document.querySelectorAll('svg.ledger rect').length") > 5, "a bar of buckets")
    check(page.ask("document.querySelector('.outcome').textContent") ==
          "llm completed after 2d 20:33:55; useful work 97.2 %", "the outcome in words")


def column(page, table, nth):
    return page.ask(f"[...document.querySelectorAll('#{table} tbody tr')].filter((row) => "
                    f"!row.hidden).map((row) => row.cells[{nth}].textContent)")


def tables_sort(page):
    # From summary and ledger of the run, as the README shows them.
    costly = ["ecc", "spot-1", "hang", "cut"]
    check(column(page, "fault-table", 0) == costly, "the costliest first")
    head = "document.querySelectorAll('#fault-table thead th')"
    page.ask(f"{head}[1].querySelector('button').focus()")
    page.press("Enter")
    check(column(page, "fault-table", 0) == ["hang", "ecc", "cut", "spot-1"], "the latest first")
    check(page.ask(f"{head}[1].getAttribute('aria-sort')") == "descending", "said by aria-sort")
    page.press(" ")
    check(column(page, "fault-table", 0) == ["spot-1", "cut", "ecc", "hang"], "the earliest first")
    check(page.ask(f"{head}[1].getAttribute('aria-sort')") == "ascending", "said by aria-sort")
    page.ask(f"{head}[0].querySelector('button').click()")
    check(column(page, "fault-table", 0) == ["cut", "ecc", "hang", "spot-1"], "by name")
    check(page.ask(f"{head}[1].hasAttribute('aria-sort')") is False, "one column is sorted by")


def tables_filter(page):
    form = "document.querySelector('form[data-filter=fault-table]')"
    said = f"{form}.querySelector('output').textContent"
    check(page.ask(said) == "4 of 4 faults", "all faults are shown at first")
    page.ask(f"{form}.elements.text.focus()")
    page.type("GPU-2")
    check(column(page, "fault-table", 0) == ["ecc"], "those that hold a text")
    check(page.ask(said) == "1 of 4 faults", "said how many are shown")
    page.ask(f"{form}.querySelector('button').click(), new Promise((done) => setTimeout(done))")
    check(len(column(page, "fault-table", 0)) == 4, "all again")
    page.ask(f"{form}.elements.charge.value = 'charged to max_failures', "
             f"{form}.dispatchEvent(new Event('input'))")
    check(sorted(column(page, "fault-table", 0)) == ["ecc", "hang", "spot-1"], "those charged")
    page.ask(f"{form}.elements.kind.value = 'hang', {form}.dispatchEvent(new Event('input'))")
    check(column(page, "fault-table", 0) == ["hang"], "both filters hold")
    quiet(page, "after sorting and filtering")


def read_by_keys_and_screen_readers(page):
    check(page.ask("[...document.querySelectorAll('th')].every((each) => each.scope)"),
          "every heading of a table has its scope")
    check(page.ask("[...document.querySelectorAll('table')].every((each) => each.caption)"),
          "every table has a caption")
    check(page.ask("[...document.querySelectorAll('input, select')].every((each) => "
                   "each.labels.length > 0)"), "every field has a label")
    check(page.ask("[...document.querySelectorAll('svg')].every((each) => each.ariaHidden === "
                   "'true' || each.getAttribute('aria-label'))"), "every picture has words")
    check(page.ask("['header', 'nav', 'main', 'footer'].every((each) => "
                   "document.querySelectorAll(each).length === 1)"), "the page has its landmarks")
    check(page.ask("(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); "
                   "return new Set(ids).size === ids.length; })()"), "no id comes twice")
    plot = "document.querySelector('figure[data-chart=progress-0] .plot svg')"
    page.ask(f"{plot}.focus()")
    page.press("End")
    check(page.ask(f"{plot}.parentNode.querySelector('output').textContent") ==
          "At 2d 20:33:55: 20,000", "the keys read a chart")


def themes(page, path):
    ground = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('.line.s0')).stroke"
    light = (page.ask(ground), page.ask(line))
    page.open(path, scheme="dark")
    dark = (page.ask(ground), page.ask(line))
    check(light[0] != dark[0] and light[1] != dark[1], "dark where the system is")
    page.ask("(() => { const theme = document.querySelector('#theme select'); "
             "theme.value = 'light'; theme.dispatchEvent(new Event('change')); })()")
    check((page.ask(ground), page.ask(line)) == light, "light where that is chosen")


def fits(page, path):
    page.open(path, width=400)
    check(page.ask("document.documentElement.scrollWidth <= window.innerWidth"),
          "a narrow window need not be scrolled sideways")


def without_scripts(page, path):
    page.open(path, script=False)
    words = page.call("DOM.getOuterHTML", nodeId=page.call("DOM.getDocument")["root"]["nodeId"])
    words = words["outerHTML"]
    check("llm completed after 2d 20:33:55" in words and
          "ray_<wbr>train.<wbr>failure.<wbr>retry" in words, "without scripts all is told")
    check(page.log == [] and len(page.requests) == 1, f"without scripts: {page.log}")
    page.call("Emulation.setScriptExecutionDisabled", value=False)


def sweep_page(page, folder):
    results, out = folder / "sweep.sqlite", folder / "sweep.html"
    run("sweep", QUICK, "--out", results, "--runs", 40, "--vary", "/cluster/pools/0/spares=1..3",
        "--quiet")
    run("report", results, "--out", out)
    page.open(out)
    quiet(page, "a sweep")
    check(page.ask("document.querySelectorAll('#cell-table tbody tr').length") == 3, "three cells")
    figure = "document.querySelector('figure[data-chart=distributions]')"
    check(page.ask(f"{figure}.querySelectorAll('.line').length") >= 3, "a curve a cell")
    check(page.ask(f"{figure}.querySelectorAll('.box').length") == 3, "a box a cell")
    check(page.ask(f"{figure}.querySelectorAll('.band').length") == 3, "a band around each curve")
    check(page.ask(f"{figure}.querySelectorAll('.sure').length") == 3, "the median's interval")
    # Of 40 runs the median has its interval from the 14th to the 27th value, a 99th hundredth none.
    cells = "[...document.querySelector('#quantile-table tbody tr').cells]"
    intervals = f"{cells}.map((cell) => cell.querySelectorAll('.interval').length)"
    counts = page.ask(intervals)
    check(counts == [0, 0, 0, 0, 0, 1, 1, 1, 0, 0], f"intervals: {counts}")
    before = page.ask(f"{figure}.querySelector('path.line').getAttribute('d')")
    page.ask("(() => { const metric = document.querySelector('#metric select'); "
             "metric.value = 'lost time'; metric.dispatchEvent(new Event('change')); })()")
    check(page.ask(f"{figure}.querySelector('path.line').getAttribute('d')") != before,
          "another metric has another curve")
    check(page.ask("document.querySelector('#quantile-table caption').textContent") ==
          "lost time: quantiles", "and another table")
    check(page.ask(intervals)[6] == 1, "with intervals, too")
    check(page.ask("document.querySelectorAll('#worst-table code')[0].textContent").startswith(
        f"aftershock run {QUICK} --seed "), "the worst run has its command")
    check(page.ask("document.querySelectorAll('#difference-table tbody tr').length") > 5,
          "differences from the first cell")
    fits(page, out)


def comparison(page, folder, recording):
    other, out = folder / "other.aftershock", folder / "both.html"
    run("run", QUICK, "--policy", "modelarts", "--record", other, "--quiet")
    run("report", recording, other, "--out", out)
    page.open(out)
    quiet(page, "a comparison")
    check(page.ask("document.querySelectorAll('figure .line').length") >= 2, "two curves in one")
    check(page.ask("document.querySelectorAll('svg.ledger').length") == 2, "both ledgers")
    said = json.loads(subprocess.run([PROGRAM, "compare", recording, other, "--json"],
                                     capture_output=True, text=True, check=True).stdout)
    first = page.ask("Object.fromEntries([...document.querySelectorAll("
                     "'#divergence-table tbody tr')].map((row) => [row.cells[0].textContent, "
                     "[row.cells[1].textContent, row.cells[2].textContent]]))")
    for i, side in enumerate("ab"):
        step = said["divergence"][side]
        check(first["Rule"][i].startswith(step["rule"]), f"the rule of {side}: {first['Rule']}")
        check(all(event in first["Saw"][i] for event in step["saw"]), f"what {side} saw")
        for move in step["budgets"]:
            check(f"{move['budget']} {move['used'] - 1} to {move['used']}" in
                  first["Budgets, before and after"][i], f"budgets of {side}: {first}")
        check(all(order["words"] in first["Orders"][i] for order in step["commands"]),
              f"orders of {side}")
    settings = dict(zip(column(page, "setting-table", 0), column(page, "setting-table", 2)))
    check(settings["/jobs/0/policy/name"] == '"modelarts"', f"what is set otherwise: {settings}")
    check(len(column(page, "rule-use-table", 0)) > 3, "rules of one alone")
    check(set(column(page, "fault-table", 0)) >= {"ecc", "spot-1", "hang", "cut"}, "all faults")
    fits(page, out)


def cut_off(page, folder, recording):
    """Costs of a recording that breaks off behind its last fault are those of the whole one."""
    lines = recording.read_text().splitlines()
    cut, out = folder / "cut.aftershock", folder / "cut.html"
    cut.write_text("\n".join(line for line in lines[:-1]
                             if not line.split('"r":')[1].startswith(('"ledger', '"summary')))
                   + "\n")
    run("report", cut, "--out", out)
    page.open(out)
    quiet(page, "one that is cut off")
    costs = dict(zip(column(page, "fault-table", 0), column(page, "fault-table", 6)))
    # As the README shows them of the whole run.
    check(costs == {"ecc": "00:35:57", "spot-1": "00:30:50", "hang": "00:17:26", "cut": "8 s"},
          f"costs so far: {costs}")
    check(page.ask("document.querySelectorAll('#fault-table thead th')[6].textContent").startswith(
        "Cost so far"), "said that it is so far")


def advice(page, folder):
    starter, out = folder / "starter.json", folder / "advice.html"
    run("init", "--gpu", 1024, "--policy", "ray_train", "--out", starter)
    run("advise", starter, "--set", "/jobs/0/checkpoint/every=1h", "--set",
        "/jobs/0/policy/config/max_failures=20", "--choose", "checkpoint=20min,40min,1h",
        "--choose", "max_failures=20,40", "--runs", 80, "--html", out, "--quiet")
    page.open(out)
    quiet(page, "an advice")
    figure = "document.querySelector('figure[data-chart=ettr-0]')"
    check(page.ask(f"{figure}.querySelectorAll('path.line').length") == 2,
          "simulated, and the formula")
    check(page.ask(f"{figure}.querySelectorAll('circle').length") == 6, "three places on each")
    check(page.ask(f"{figure}.querySelectorAll('.band').length") == 1, "the simulated has a band")
    check(page.ask("document.querySelectorAll('figure[data-chart]').length") == 24,
          "failures, useful work, ETTR and exhaustion by each choice at three rates")
    for rate in range(3):
        check(len(column(page, f"choice-table-{rate}", 0)) == 6, f"six choices at rate {rate}")
    chosen = column(page, "choice-table-0", 12)
    check(sum(each == "chosen" for each in chosen) == 1, "one is chosen")
    patch = page.ask("[...document.querySelectorAll('#change pre')].pop().textContent")
    check(json.loads(patch)["jobs"][0]["policy"]["config"]["max_failures"] in (20, 40),
          f"the patch can be pasted: {patch}")
    fits(page, out)
    run("advise", starter, "--choose", "max_failures=28,60,-1", "--goal", "max useful", "--runs",
        10, "--html", out, "--quiet")
    page.open(out)
    ticks = page.ask("[...document.querySelector('figure[data-chart=useful-0] g.axis')"
                     ".querySelectorAll('text')].map((text) => text.textContent)")
    check(len(ticks) > 2 and not any(mark in tick for tick in ticks for mark in " :"),
          f"along budgets there are numbers: {ticks}")


def prints(page, folder, path):
    page.open(path)
    page.print_to(folder / "run.pdf")
    check((folder / "run.pdf").read_bytes().startswith(b"%PDF"), "it prints")


def main():
    if browser.program() is None:
        print("SKIPPED: chromium is not installed")
        return 77
    page = browser.Browser()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            recording, out = folder / "run.aftershock", folder / "run.html"
            run("run", QUICK, "--record", recording, "--quiet")
            run("report", recording, "--out", out)
            page.open(out)
            run_has_charts(page)
            read_by_keys_and_screen_readers(page)
            tables_sort(page)
            tables_filter(page)
            themes(page, out)
            fits(page, out)
            without_scripts(page, out)
            sweep_page(page, folder)
            comparison(page, folder, recording)
            cut_off(page, folder, recording)
            advice(page, folder)
            names_stay_names(page, folder, recording)
            prints(page, folder, out)
    finally:
        page.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
