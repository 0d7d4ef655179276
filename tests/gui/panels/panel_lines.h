#pragma once

#include <string>

namespace aftershock::gui {

/// A fault, the decision that answers it with a charge, spans before and after, and the ledger of a
/// job that failed, for a SampleRun; names and texts of the fault are full of markup.
inline std::string panel_lines() {
  return R"lines({"t":0,"r":"begin","on":"job:llm","id":1,"what":"attempt","epoch":1,"from":0}
{"t":0,"r":"begin","on":"job:llm","id":2,"what":"training","epoch":1,"cause":-5}
{"t":60000000,"r":"fault","on":"node:<b>a","number":0,"id":"f<img src=x>","kind":"node_crash","target":"a&b","outcome":"fired"}
{"t":60000000,"r":"end","id":2}
{"t":60000000,"r":"begin","on":"job:llm","id":3,"what":"undetected","epoch":1,"cause":0}
{"t":90000000,"r":"end","id":3}
{"t":90000000,"r":"decision","on":"job:llm","batch":7,"fault":"f<img src=x>","saw":[{"type":"workers_failed","error":"<script>"}],"steps":[{"rule":"p.retry","from":"Running","to":"Failed","budgets":[{"budget":"retries","cause":"node","used":2,"limit":1,"charged":true,"exhausted":true}],"commands":[],"rejected":[{"what":"wait","why":"no time"}]}]}
{"t":90000000,"r":"instant","on":"job:llm","what":"ended","reason":"exhausted(retries)"}
{"t":90000000,"r":"ledger","on":"job:llm","wall_us":90000000,"us":{"productive":60000000,"undetected":30000000},"faults":[{"fault":"f<img src=x>","us":{"undetected":30000000}}]}
)lines";
}

}  // namespace aftershock::gui
