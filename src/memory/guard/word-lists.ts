/** Opposites: where one text says the left and the other the right, they disagree. English by word, Chinese by part. */
export const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = (
  [
    ["always", "never"],
    ["enabled?|enabling|on", "disabled?|disabling|off"],
    [
      "allow(?:s|ed)?|permit(?:s|ted)?",
      "forbid(?:s|den)?|den(?:y|ies|ied)|prohibit(?:s|ed)?|disallow(?:s|ed)?",
    ],
    ["required|mandatory", "optional"],
    ["love[sd]?|like[sd]?|prefer(?:s|red)?", "hate[sd]?|dislike[sd]?|avoid(?:s|ed)?"],
    ["soft", "hard"],
    ["utc|gmt", "local"],
    ["local(?:ly)?", "remote(?:ly)?"],
    ["sync|synchronous(?:ly)?", "async|asynchronous(?:ly)?"],
    ["client|browser|frontend", "server|backend"],
    ["before", "after"],
    ["inbound|incoming", "outbound|outgoing"],
    ["input", "output"],
    ["reads?", "writes?"],
    ["public", "private"],
    ["internal", "external|public"],
    ["increase[sd]?|raise[sd]?", "decrease[sd]?|reduce[sd]?|lower(?:s|ed)?"],
    ["minimum|min|at least", "maximum|max|at most"],
    ["true", "false"],
    ["with", "without"],
    ["through|via", "bypass(?:es|ed|ing)?"],
    ["manual(?:ly)?", "automatic(?:ally)?"],
    ["upgrade[sd]?", "downgrade[sd]?"],
    ["accept(?:s|ed)?", "reject(?:s|ed)?"],
    ["starts?|started", "stops?|stopped"],
    ["single|one", "multiple|many"],
    ["stateful", "stateless"],
    ["mutable", "immutable"],
    ["strict", "loose|lenient"],
    ["ascending", "descending"],
    ["encrypted", "unencrypted|plain ?text"],
  ] as const
)
  .map(([left, right]): readonly [RegExp, RegExp] => [latin(left), latin(right)])
  .concat(
    (
      [
        ["启用|开启|打开", "禁用|停用|关闭"],
        ["允许|可以|随便", "禁止|不得|不允许|不可以|不准"],
        ["必须|强制", "可选|不必|无需"],
        ["总是|始终|一律", "从不|绝不"],
        ["同步", "异步"],
        ["之前|以前", "之后|以后"],
        ["本地", "远程"],
        ["本地时间|当地时间", "UTC|协调世界时"],
        ["软删除", "硬删除|物理删除"],
        ["前端|客户端|浏览器", "后端|服务端|服务器"],
        ["入参|输入", "出参|输出"],
        ["内部|内网", "外部|对外|外网|公网"],
        ["公开|公有", "私有|内部"],
        ["增加|提高|上调", "减少|降低|下调"],
        ["最小|至少", "最大|最多|至多"],
        ["手动|人工", "自动"],
        ["升级", "降级|回退"],
        ["全量", "增量"],
        ["喜欢", "讨厌|不喜欢"],
        ["单(?:个|一|机|库|表)", "多(?:个|机|库|表)"],
        ["有状态", "无状态"],
        ["加密", "明文|不加密"],
        ["升序|正序", "降序|倒序"],
        ["串行", "并行|并发"],
        ["只读", "读写|可写"],
        ["成功", "失败"],
      ] as const
    ).map(([left, right]): readonly [RegExp, RegExp] => [new RegExp(left, "giu"), new RegExp(right, "giu")]),
  );

/** Where a text speaks of, when it names an environment. */
export const ENVIRONMENTS: readonly (readonly [string, RegExp])[] = [
  ["production", /\bprod(?:uction)?\b|生产环境|生产库|线上|正式环境/giu],
  ["staging", /\bstaging\b|\bpre-?prod\b|预发|预生产|灰度环境/giu],
  ["test", /\btest(?:ing)? (?:environment|database|db|server|cluster)\b|\bqa\b|测试环境|测试库|测试服/giu],
  [
    "development",
    /\bdev(?:elopment)? (?:environment|database|db|server|cluster)\b|开发环境|开发库|本地环境/giu,
  ],
];

/** What is turned down stands right behind these. */
export const REJECTED =
  /\b(?:over|instead of|rather than|in place of|not|dropp(?:ed|ing)|reject(?:ed|ing)|abandon(?:ed|ing)|(?:migrated|moved|switched|changed|back|away) from|replac(?:e|es|ed|ing)(?! by| with)|no longer (?:use|uses|using|on|with))\s+|放弃了?|弃用了?|不再(?:使用|采用|用)|没有?(?:选择?|采用|使用|用)|而不是|代替了?|替换(?!为|成)|(?<!自)从(?=\s*\p{Script=Latin})/giu;

/** What is taken stands right behind these. */
export const CHOSEN =
  /\b(?:chose|choose|chosen|picked|pick|prefer(?:red)?|use[sd]?|using|adopt(?:ed)?|(?:migrated|moved|switched|changed|back) to|replaced (?:by|with)|in favou?r of)\s+|改用|改为|换成|换回|换为|采用|选用|选择|使用|迁移[到至]|切换[到至]|回到|升级[到至]|替换[为成]/giu;

/** A change of what holds: what it goes to stands right behind. */
export const CHANGED =
  /\b(?:migrated|switched|moved|changed) (?:over |back )?to\s+|\breplaced (?:by|with)\s+|改用|改为|换成|换为|换回|迁移[到至]|切换[到至]|升级[到至]|替换[为成]/giu;

/** What denies; counted in texts that are else nearly the same. */
export const NEGATION =
  /\b(?:not|never|no|cannot|without|neither|nor|none|don't|doesn't|isn't|aren't|won't|mustn't|shouldn't|can't|must not|no longer|stop(?:s|ped)?)\b|不得|不要|不能|不可|不准|不许|不再|不会|不用|不是|禁止|严禁|勿|没有|从不|绝不|(?<![\p{Script=Han}])不|无需/giu;

/** Groups of words that say the same in a sentence else alike. */
export const SAME: readonly RegExp[] = [
  /^(?:like|love|prefer|enjoy|favou?r)(?:s|d|ed|red|ing)?$/,
  /^(?:us|use|uses|used|using|employ|employs|rel(?:y|ies)|choose|chose|chosen|pick|picked|picks|select|selected|adopt|adopted)$/,
  /^(?:must|should|shall|has|have|need|needs|required|always)$/,
  /^(?:keep|keeps|kept|store|stores|stored|save|saves|saved|hold|holds|held|live|lives|sit|sits|lie|lies|placed|put)$/,
  /^(?:run|runs|ran|running|work|works|execute|executes|executed)$/,
  /^(?:send|sends|sent|deliver|delivers|delivered|go|goes|went)$/,
  /^(?:do|does|done|perform|performs|performed|handle|handles|handled|make|makes|made)$/,
  /^(?:fix|fixes|fixed|solve|solves|solved|resolve|resolved)$/,
  /^(?:add|adds|added|append|appends|insert|inserts|inserted)$/,
  /^(?:remove|removes|removed|delete|deletes|deleted|drop|drops|dropped)$/,
  /^(?:fetch|fetches|get|gets|read|reads|load|loads|loaded|retrieve|retrieves)$/,
  /^(?:check|checks|checked|verify|verifies|verified|validate|validates|validated)$/,
  /^(?:big|large|huge|great)$/,
  /^(?:quick|quickly|fast|rapid|rapidly)$/,
  /^(?:every|each|all|any|per)$/,
  /^(?:user|users|customer|customers|he|she|they|team|we)$/,
  /^(?:enforced|enforces|applied|applies|imposed|imposes)$/,
  /^[用使采选取以]+$/u,
  /^[必须应该当要一律统务]+$/u,
  /^[禁止不得勿准许可能要]+$/u,
  /^[在于位处放存保留]+$/u,
];

/** Words that carry nothing by themselves. */
export const FILLERS = new Set(
  (
    "a an the is are was were be been being of to in on at by for from with as and or it its this that these those there " +
    "we our you your they their he she his her i my so also then than which who when while because since just only now will would"
  ).split(" "),
);

/** The same of Chinese characters. */
export const CJK_FILLERS =
  /^[的了是在和与就都而及或吧啊被把对从到由为请需会将之其该并且也地得等上下里中个]+$/u;

function latin(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words})(?![\\p{L}\\p{N}_-])`, "giu");
}
