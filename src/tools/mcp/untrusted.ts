const TAG = /<(?=\s*\/?\s*untrusted)/giu;

/** Marks what somebody else said as material: nothing in it closes the mark, or opens another one. */
export function asUntrusted(text: string, source: string): string {
  return `<untrusted source="${source}">\n${text.replace(TAG, "&lt;")}\n</untrusted>`;
}
