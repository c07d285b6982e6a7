import type { Language } from "../shared/index.js";
import type { Section } from "./types.js";

interface SectionTexts {
  names: string;
  titles: Readonly<Record<Section, string>>;
  source: string;
  more(count: number): string;
  offers(count: number): string;
  keeps(tables: string, count: number): string;
  contextRule(service: string): string;
  serviceRule(service: string): string;
}

/** What a service's document and its rules say besides what was read, in both languages. */
export const SECTION_TEXTS: Readonly<Record<Language, SectionTexts>> = {
  en: {
    names: "Names",
    titles: {
      position: "Position",
      duties: "Duties",
      stack: "Stack",
      dependencies: "Dependencies",
      interfaces: "APIs",
      data: "Data model",
      modules: "Key modules",
      configuration: "Config",
      pitfalls: "Pitfalls",
    },
    source: "source",
    more: (count) => `… and ${count} more`,
    offers: (count) => `Offers ${count} ${count === 1 ? "operation" : "operations"} to others`,
    keeps: (tables, count) => `Keeps ${count === 1 ? "" : `${count} entities, such as `}${tables}`,
    contextRule: (service) => `What ${service} is`,
    serviceRule: (service) => `${service} is concerned`,
  },
  zh: {
    names: "名称",
    titles: {
      position: "定位",
      duties: "职责",
      stack: "技术栈",
      dependencies: "依赖",
      interfaces: "接口",
      data: "数据模型",
      modules: "关键模块",
      configuration: "配置",
      pitfalls: "坑",
    },
    source: "来源",
    more: (count) => `…… 另有 ${count} 项`,
    offers: (count) => `对外提供 ${count} 个接口`,
    keeps: (tables, count) => `保存 ${count} 个实体：${tables}`,
    contextRule: (service) => `${service} 的说明`,
    serviceRule: (service) => `涉及 ${service}`,
  },
};
