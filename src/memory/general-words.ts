/** Words that say nothing about what a text is about. */
export const GENERAL_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also always am an and any are aren as at avoid be because been before being below
  between both but by can cannot careful could did do does doesn doing don down during each else ensure every few for
  from further get gets go goes had has have having he her here hers him his how however i if in instead into is isn it
  its just keep let like make makes may me mind more most must my need needs never no nor not note now of off on once
  one only or other our out over own please prefer remember same see shall she should so some still such sure take than
  that the their them then there these they thing things this those through to too under until up use used uses using
  very via want was way we were what when where which while who whom why will with within without would you your
  otherwise show shows shown many time times while whilst zero two three four five six seven eight nine ten
  add added adds change changed changes create fix issue new put set update work works bug feature task
  一个 一些 一下 一定 一种 不是 不能 不要 不得 不可 不会 不用 为了 之前 之后 之间 也是 什么 今后 他们 以便 以及 以后 以前 但是 你们
  使用 例如 其中 其他 其它 内容 几个 切勿 务必 千万 功能 包括 只有 只能 可以 可能 各个 同时 否则 问题 因为 因此 场景 增加 处理 大家
  如果 如何 完成 实现 对于 小心 已经 应当 应该 开发 当前 怎么 情况 我们 所以 所有 或者 支持 改为 新增 方式 方面 时候 时间 是否 更新
  有些 来自 某个 根据 检查 模块 注意 涉及 添加 然后 现在 现有 用于 由于 目前 直接 相关 看到 确保 禁止 严禁 系统 统一 继续 自己 自动
  至少 若是 表示 要求 认为 记住 记得 设置 这个 这些 这样 这种 通过 那个 那些 都是 除了 需求 需要 非常 项目 类型 修改 进行 必须 避免 文件 打开 写入`
    .split(/\s+/)
    .filter(Boolean),
);
