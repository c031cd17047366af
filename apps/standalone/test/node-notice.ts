/** Returns what a process wrote without the line that it writes on a Node.js which receives no security fixes. */
export function withoutNodeNotice(written: string): string {
  return written.replaceAll(/^.*run Rowhouse on Node 24.*\n/gm, "");
}
