import { type SkillProblem, attempt, invalid } from "./problems.js";
import { type CommandLevel, checkLength, parseCommand } from "./read-commands.js";
import { MAX_DEFINITIONS } from "./text-file.js";
import type { Command } from "./types.js";

/** Where a repository and a person keep commands, below the repository's root and the home folder. */
export const COMMANDS_FOLDER = ".agents/commands/";
const PLUGIN = /^\.agents\/plugins\/(?<name>[^/]+)\/commands\/./u;
const PLUGIN_NAME = /^[a-z0-9][a-z0-9._-]*$/u;

/** Files of the levels that commands come from. */
export interface CommandFiles {
  user: ReadonlyMap<string, string>;
  repository: ReadonlyMap<string, string>;
}

interface Draft {
  command: Command;
  plugin: string | null;
}

/**
 * Puts the commands of all levels together: shipped, then the user's, then plugins', then the repository's own; the later one has
 * the name. A plugin's command gives way by taking its plugin's name in front. Whatever is hidden is a problem, so that people
 * see it.
 */
export function gatherCommands(
  shipped: ReadonlyMap<string, Command>,
  files: CommandFiles,
  problems: SkillProblem[],
  taken: readonly string[],
): Map<string, Command> {
  const read = (from: ReadonlyMap<string, string>, level: CommandLevel) => readLevel(from, level, problems);
  const user = read(files.user, { folder: COMMANDS_FOLDER, origin: "user", mayRun: false });
  const own = read(files.repository, { folder: COMMANDS_FOLDER, origin: "repository", mayRun: true });
  const plugins = pluginsOf(files.repository, problems).flatMap((plugin) =>
    read(files.repository, {
      folder: `.agents/plugins/${plugin}/commands/`,
      origin: `plugin ${plugin}`,
      mayRun: false,
    }).map((command) => ({ command, plugin })),
  );
  const kept = new Map(shipped);
  for (const command of [...user, ...withPluginNames(plugins, own, problems), ...own]) {
    if (taken.includes(command.name)) {
      const message = `the name "${command.name}" is taken by Accrue itself: rename the file.`;
      problems.push({ file: command.file, message });
      continue;
    }
    const hidden = kept.get(command.name);
    if (hidden !== undefined) {
      const message = `"${command.name}" is hidden by ${command.file}: rename one of them.`;
      problems.push({ file: hidden.file, message });
    }
    kept.set(command.name, command);
  }
  return kept;
}

/** Commands of one folder. Of two files with one name the TOML file counts. */
export function readLevel(
  files: ReadonlyMap<string, string>,
  level: CommandLevel,
  problems: SkillProblem[],
): Command[] {
  const paths = [...files.keys()].filter(
    (path) =>
      path.startsWith(level.folder) &&
      /\.(?:toml|md)$/.test(path) &&
      !/\/\./.test(path.slice(level.folder.length - 1)),
  );
  const tomlFirst = paths.sort(
    (a, b) => Number(a.endsWith(".md")) - Number(b.endsWith(".md")) || (a < b ? -1 : 1),
  );
  const commands = new Map<string, Command>();
  for (const file of tomlFirst) {
    attempt(problems, file, () => {
      if (commands.size === MAX_DEFINITIONS)
        throw invalid(file, `more than ${MAX_DEFINITIONS} commands: remove some.`);
      const command = parseCommand(files.get(file) ?? "", file, level);
      const other = commands.get(command.name);
      if (other) throw invalid(file, `"${command.name}" is hidden by ${other.file}: rename one of them.`);
      commands.set(command.name, command);
    });
  }
  return [...commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pluginsOf(files: ReadonlyMap<string, string>, problems: SkillProblem[]): string[] {
  const names = new Set([...files.keys()].flatMap((path) => PLUGIN.exec(path)?.groups?.["name"] ?? []));
  return [...names].sort().filter((name) => {
    if (PLUGIN_NAME.test(name)) return true;
    const message = `"${name}" is no name for a plugin: use a-z, 0-9, -, _ and dots.`;
    problems.push({ file: `.agents/plugins/${name}`, message });
    return false;
  });
}

function withPluginNames(drafts: Draft[], own: readonly Command[], problems: SkillProblem[]): Command[] {
  const counts = new Map<string, number>();
  for (const { name } of [...own, ...drafts.map(({ command }) => command)]) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return drafts.flatMap(({ command, plugin }) => {
    if ((counts.get(command.name) ?? 0) < 2) return [command];
    const name = attempt(problems, command.file, () =>
      checkLength(`${plugin}:${command.name}`, command.file),
    );
    return name === null ? [] : [{ ...command, name }];
  });
}
