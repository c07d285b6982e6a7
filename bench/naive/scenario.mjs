// What the scripted model says to the naive loop: turn by turn what it said to the product, but for edits, which become whole files.

function applyEdit(files, { path, old_text, new_text }) {
  const before = files.get(path) ?? "";
  if (before.split(old_text).length !== 2) throw new Error(`${path} does not hold this once: ${old_text}`);
  files.set(
    path,
    before.replace(old_text, () => new_text),
  );
}

/** Edits of one turn to the same file become one write of that file, at the place of the last of them. */
function withoutEdits(calls, files) {
  const last = new Map(
    calls.map(({ name, input }, at) => [name === "edit_file" ? input.path : `#${at}`, at]),
  );
  return calls.flatMap(({ name, input }, at) => {
    if (name === "write_file") files.set(input.path, input.content);
    if (name !== "edit_file") return [{ tool: name, input }];
    applyEdit(files, input);
    const { path } = input;
    return last.get(path) === at ? [{ tool: "write_file", input: { path, content: files.get(path) } }] : [];
  });
}

/** The scenario, from the recorded calls of the product and the project as it was before them. */
export function naiveScenario(recorded, project) {
  const files = new Map(Object.entries(project));
  const turns = recorded.map(({ content }) => {
    const said = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const calls = content.filter(({ type }) => type === "tool_use");
    return {
      ...(said.length > 0 && { say: said.join("\n") }),
      ...(calls.length > 0 && { call: withoutEdits(calls, files) }),
    };
  });
  return [{ name: "naive", when: {}, turns }];
}
