/** The one stylesheet, inlined in every page: light and dark after the reader's system, down to the width of a phone. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1f2328;--muted:#59636e;--back:#fff;--soft:#f6f8fa;--line:#d1d9e0;--link:#0969da;
--green:#1a7f37;--purple:#8250df;--red:#d1242f;--amber:#9a6700;--gray:#59636e;--plus:#dafbe1;--minus:#ffebe9;--hunk:#ddf4ff;--mark:#fff8c5;--bar:#54aeff}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--muted:#9198a1;--back:#0d1117;--soft:#151b23;--line:#3d444d;--link:#4493f8;
--green:#238636;--purple:#8957e5;--red:#da3633;--amber:#9e6a03;--gray:#59636e;--plus:#12261e;--minus:#25171c;--hunk:#121d2f;--mark:#272115;--bar:#1f6feb}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:14px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI","Noto Sans","Noto Sans SC","PingFang SC",Helvetica,Arial,sans-serif,"Apple Color Emoji","Segoe UI Emoji","Noto Color Emoji";overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
code,pre,kbd{font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
pre{margin:0;white-space:pre-wrap}
main,.top nav{max-width:1012px;margin:0 auto;padding:0 16px}
.top{background:var(--soft);border-bottom:1px solid var(--line);padding:12px 0 0}
.top h1{font-size:18px;font-weight:400;margin:0 0 8px;overflow-wrap:anywhere}.top h1 b{font-weight:600}
.tabs{display:flex;gap:4px;overflow-x:auto}
.tabs a{color:var(--text);padding:8px 12px;border-bottom:2px solid transparent;white-space:nowrap}
.tabs a[aria-current]{border-color:#fd8c73;font-weight:600}
.tabs .count{background:var(--line);border-radius:20px;padding:1px 7px;font-size:12px;margin-left:4px}
main{padding-top:20px;padding-bottom:64px}
main>.tabs{border-bottom:1px solid var(--line);margin:16px 0}
.title{font-size:26px;font-weight:400;line-height:1.25;margin:0 0 10px}.title .muted{font-weight:300}
.muted{color:var(--muted)}.small{font-size:12px}
.facts{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding-bottom:16px;border-bottom:1px solid var(--line);margin-bottom:20px}
.state,.badge,.label{display:inline-block;border-radius:20px;font-weight:500;white-space:nowrap}
.state{color:#fff;padding:5px 12px}
.badge{font-size:12px;border:1px solid var(--line);padding:0 7px;color:var(--muted)}
.label{font-size:12px;padding:0 9px;line-height:20px;border:1px solid rgba(128,128,128,.3)}
.open,.success{background:var(--green)}.merged,.completed{background:var(--purple)}.closed,.failure,.timed_out{background:var(--red)}
.draft,.neutral,.cancelled,.skipped,.not_planned,.queued{background:var(--gray)}.in_progress,.action_required{background:var(--amber)}
.dot{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:8px;flex:none}
.added{color:#1a7f37;font-weight:600}.removed{color:var(--red);font-weight:600}
@media (prefers-color-scheme:dark){.added{color:#3fb950}.removed{color:#f85149}}
.box{border:1px solid var(--line);border-radius:6px;margin:0 0 16px;background:var(--back)}
.box>header{background:var(--soft);border-bottom:1px solid var(--line);padding:8px 16px;border-radius:6px 6px 0 0;display:flex;flex-wrap:wrap;gap:6px;align-items:center}
.box>header:last-child{border-bottom:0;border-radius:6px}
.box>.md{padding:16px}.box>.empty,.empty{padding:12px 16px;margin:0;color:var(--muted)}
.box:target{border-color:var(--link);box-shadow:0 0 0 2px color-mix(in srgb,var(--link) 30%,transparent)}
.rows{list-style:none;margin:0;padding:0}.rows>li{display:flex;gap:8px;padding:8px 16px;border-top:1px solid var(--line);align-items:baseline}
.rows>li:first-child{border-top:0}.rows .grow{flex:1;min-width:0}.rows .dot{align-self:center;margin:0}
.event{color:var(--muted);margin:0 0 16px;padding-left:16px;border-left:2px solid var(--line)}
.reactions{display:flex;gap:6px;padding:0 16px 12px;flex-wrap:wrap}
.reactions span{border:1px solid var(--line);border-radius:20px;padding:1px 9px;font-size:12px;background:var(--soft)}
.md>:first-child{margin-top:0}.md>:last-child{margin-bottom:0}
.md h1,.md h2{border-bottom:1px solid var(--line);padding-bottom:.3em}.md h1{font-size:1.8em}.md h2{font-size:1.4em}.md h3{font-size:1.2em}
.md h1,.md h2,.md h3,.md h4{margin:22px 0 14px;font-weight:600;line-height:1.25}
.md p,.md ul,.md ol,.md table,.md blockquote,.md pre,.md details{margin:0 0 14px}
.md ul,.md ol{padding-left:2em}.md li>p{margin:6px 0}.md li.task{list-style:none}.md li.task input{margin:0 .3em .2em -1.5em;vertical-align:middle}
.md code{background:color-mix(in srgb,var(--muted) 15%,transparent);padding:.15em .4em;border-radius:6px}
.md pre{background:var(--soft);border-radius:6px;padding:14px;overflow:auto;white-space:pre}.md pre code{background:none;padding:0}
.md blockquote{border-left:4px solid var(--line);padding:0 1em;margin-left:0;color:var(--muted)}
.md table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse}
.md th,.md td{border:1px solid var(--line);padding:6px 13px;overflow-wrap:normal}.md tr:nth-child(2n){background:var(--soft)}
.md img{max-width:100%}.md summary{cursor:pointer}.md hr{border:0;border-top:2px solid var(--line);margin:20px 0}
.md sub{font-size:12px;vertical-align:baseline;color:var(--muted)}
.chart{display:block;width:100%;max-width:440px;margin:8px 0 14px}.chart text{fill:var(--muted);font-size:12px;text-anchor:middle}
.chart .title{fill:var(--text);font-size:14px;font-weight:600}.chart .axis{text-anchor:end;dominant-baseline:middle}.chart .value{fill:var(--text)}
.chart rect{fill:var(--bar)}.chart line{stroke:var(--line)}
.scroll{overflow-x:auto}
.diff,.code{border-collapse:collapse;width:100%;font:12px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.diff td,.code td{padding:0 8px;vertical-align:top}.diff td:not(:last-child),.code td:first-child{color:var(--muted);text-align:right;width:1%;min-width:40px;user-select:none}
.diff td:last-child,.code td:last-child{width:99%}.diff pre,.code pre{line-height:20px}.code a{color:inherit}
.plus{background:var(--plus)}.minus{background:var(--minus)}.hunk,.hunk pre{background:var(--hunk);color:var(--muted)}
.code tr:target{background:var(--mark)}
.note>td{padding:8px 16px!important;text-align:left!important;font:14px/1.5 sans-serif;background:var(--soft);user-select:text!important;color:var(--text)!important}.note .box{margin:0 0 8px;max-width:760px}
.buttons{display:flex;flex-wrap:wrap;gap:8px;padding:12px 16px;border-top:1px solid var(--line)}
.buttons span{border:1px solid var(--line);border-radius:6px;padding:3px 12px;background:var(--soft)}
.side{display:grid;grid-template-columns:minmax(0,1fr) 240px;gap:24px}.side aside>div{border-bottom:1px solid var(--line);padding:12px 0}
.side aside h2{font-size:12px;color:var(--muted);margin:0 0 4px}
@media (max-width:767px){.side{grid-template-columns:minmax(0,1fr)}.side aside{display:none}.title{font-size:21px}.rows>li{flex-wrap:wrap}}
`;
