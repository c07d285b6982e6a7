// Notes on other subjects, in the style of real ones: the crowd among which the right note has to be found.
const DOMAINS = [
  ["fleet", "vehicle", "trip", "车队", "车辆", "行程"],
  ["clinic", "patient", "appointment", "诊所", "患者", "预约"],
  ["course", "student", "lesson", "课程", "学员", "课时"],
  ["payroll", "employee", "payslip", "薪资", "员工", "工资单"],
  ["parking", "garage", "ticket", "停车", "车库", "停车票"],
  ["library", "reader", "loan", "图书馆", "读者", "借阅"],
  ["hotel", "guest", "booking", "酒店", "住客", "订房"],
  ["museum", "visitor", "exhibit", "博物馆", "访客", "展品"],
  ["insurance", "policy", "claim", "保险", "保单", "理赔"],
  ["farm", "field", "harvest", "农场", "地块", "收成"],
  ["newsroom", "editor", "article", "编辑部", "编辑", "稿件"],
  ["radio", "presenter", "broadcast", "电台", "主持人", "节目"],
  ["theatre", "actor", "rehearsal", "剧院", "演员", "排练"],
  ["lab", "sample", "measurement", "实验室", "样本", "测量"],
  ["harbour", "vessel", "berth", "港口", "船舶", "泊位"],
  ["airport", "flight", "gate", "机场", "航班", "登机口"],
  ["railway", "train", "platform", "铁路", "列车", "站台"],
  ["school", "teacher", "timetable", "学校", "教师", "课表"],
  ["court", "judge", "hearing", "法院", "法官", "庭审"],
  ["bank", "branch", "deposit", "银行", "网点", "存款"],
  ["forest", "ranger", "patrol", "林场", "护林员", "巡护"],
  ["weather", "station", "forecast", "气象", "观测站", "预报"],
  ["energy", "meter", "reading", "能源", "电表", "读数"],
  ["water", "pump", "reservoir", "供水", "水泵", "水库"],
  ["fire", "brigade", "alarm", "消防", "消防队", "警报"],
  ["sports", "club", "match", "体育", "俱乐部", "比赛"],
  ["gym", "trainer", "session", "健身房", "教练", "训练课"],
  ["cinema", "screen", "showing", "影院", "影厅", "场次"],
  ["podcast", "listener", "episode", "播客", "听众", "单集"],
  ["archive", "document", "scan", "档案", "卷宗", "扫描件"],
];
const FACTS = [
  (d) =>
    `The ${d[0]} service runs on port ${4100 + d[6]} and reads its ${d[1]} list from ${d[0]}-registry once a minute.`,
  (d) =>
    `Each ${d[1]} has exactly one active ${d[2]}; older ones are kept for ${20 + d[6]} months in cold storage.`,
  (d) => `We keep every ${d[2]} of the ${d[0]} app in MongoDB because its shape differs by customer.`,
  (d) => `Names of a ${d[1]} are unique per region only, so always look one up with the region's code.`,
  (d) => `The ${d[0]} mobile app is written in Flutter and talks gRPC to ${d[0]}-backend.`,
  (d) =>
    `2025-0${1 + (d[6] % 9)}-1${d[6] % 10}: a ${d[2]} vanished because two ${d[1]} records were merged while a sync was running; the merge now takes a lease.`,
  (d) =>
    `2025-0${1 + (d[6] % 9)}-2${d[6] % 9}: the ${d[0]} board stayed empty after a restart since the ${d[2]} stream began at the newest offset; it now starts at the last acknowledged one.`,
  (d) =>
    `Never compute the length of a ${d[2]} from its start and end: pauses are stored apart, ask ${d[2]}Duration().`,
  (d) => `A ${d[1]} must not be shown by its number; the ${d[0]} office wants the short code everywhere.`,
  (d) =>
    `Load tests of ${d[0]} use ${100 * (1 + d[6])} simulated ${d[1]} entries from fixtures/${d[0]}.ndjson.`,
  (d) => `Every ${d[2]} is validated by the ${d[0]}Rules engine before it reaches the ledger.`,
  (d) => `Use the ${d[1]}Picker element in forms, it knows which ${d[0]} the person belongs to.`,
  (d) =>
    `We decided against event sourcing for the ${d[2]} history; a plain audit table is enough for ${d[0]}.`,
  (d) => `The nightly ${d[0]} aggregation writes Parquet files to the lake, one for each ${d[1]}.`,
  (d) => `Sensors of the ${d[0]} send MQTT messages; the bridge drops those older than ${d[6] + 2} minutes.`,
  (d) => `${d[3]}系统的${d[4]}编号由八位字母组成，导入时不区分大小写。`,
  (d) => `${d[5]}状态只能由状态机推进，直接更新会被审计任务回滚。`,
  (d) => `${d[3]}后台使用 Angular 17，表单用响应式写法，组件放在 apps/${d[0]}/ui。`,
  (d) => `为了离线可用，${d[4]}数据在设备上用 SQLite 保存，联网后按版本号合并。`,
  (d) =>
    `2025-0${1 + (d[6] % 9)}-0${1 + (d[6] % 9)}：${d[5]}推送延迟两小时，原因是消费组重平衡过于频繁；调大会话超时后恢复。`,
  (d) => `${d[3]}的对账文件每天 ${d[6] % 24} 点生成，格式为定长文本，编码 GBK。`,
  (d) => `查询${d[5]}时必须带上机构编号，否则会扫描全部分区。`,
  (d) => `${d[3]}大屏每 ${5 + d[6]} 秒轮询一次，没有使用长连接，因为内网代理会断开。`,
  (d) => `新增${d[4]}类型要同时修改字典表、地图图例和导出模板。`,
  (d) => `${d[4]}照片先做人脸打码再入库，打码服务名为 ${d[0]}-mask。`,
  (d) => `${d[5]}审批改为两级，超过 ${10 * (1 + d[6])} 万元需要总部复核。`,
  (d) => `决定不再维护${d[3]}的桌面客户端，功能并入网页版。`,
  (d) => `${d[3]}报文使用 XML 并带数字证书，解析放在 ${d[0]}-adapter。`,
  (d) => `${d[4]}合并后保留较早的编号，较晚的编号变成别名。`,
  (d) => `${d[5]}附件保存在 MinIO 的 ${d[0]}-files 桶，保留七年。`,
  (d) => `测试${d[5]}流程时用仿真时钟 SimClock，不要等待真实时间。`,
];

/** So many notes, the same ones each time. */
export function distractors(count) {
  const all = FACTS.flatMap((say) => DOMAINS.map((domain, at) => say([...domain, at])));
  if (count > all.length) throw new Error(`There are ${all.length} distractors only.`);
  return all.slice(0, count);
}
