import type { Draft, Panel, Parameter } from "./draft.ts";

/** A fault of the service, with its JSON pointer. */
interface ServiceFault {
  readonly path?: string | undefined;
  readonly message: string;
}

/** A fault at the part of the draft that it belongs to. It is outdated as soon as that part is another one. */
export interface DraftFault {
  /** The panel or parameter as it was sent; for a field of the board itself, its value. */
  readonly part: unknown;
  /** Within the panel or parameter, else within the board. */
  readonly pointer: string;
  readonly message: string;
}

const itemPath = /^\/(panels|parameters)\/(\d+)(\/.*)?$/;

/**
 * Places faults at the parts of the draft that was sent.
 *
 * @param root the pointer of the draft in the body, such as `/data`
 */
export function placeFaults(
  draft: Draft,
  faults: readonly ServiceFault[],
  root: string,
): readonly DraftFault[] {
  return faults.map(({ path = "", message }): DraftFault => {
    const inside = path.startsWith(root) ? path.slice(root.length) : path;
    const [, list, index = "", rest = ""] = itemPath.exec(inside) ?? [];
    const item =
      list === "panels"
        ? draft.panels[Number(index)]
        : list === "parameters"
          ? draft.parameters[Number(index)]
          : undefined;
    if (item !== undefined) return { part: item, pointer: rest, message };
    const [, member = ""] = inside.split("/");
    return { part: draft[member as keyof Draft], pointer: inside, message };
  });
}

/** Returns the message for a part of a panel or parameter, as it is now; with an empty pointer, for any part. */
export function faultIn(
  faults: readonly DraftFault[],
  part: Panel | Parameter,
  pointer: string,
): string | undefined {
  return faults.find((one) => one.part === part && isWithin(one.pointer, pointer))?.message;
}

/** Returns the message for a field of the board itself, as long as it has the value that was sent. */
export function boardFault(
  faults: readonly DraftFault[],
  draft: Draft,
  member: keyof Draft,
): string | undefined {
  return faults.find((one) => one.part === draft[member] && isWithin(one.pointer, `/${member}`))
    ?.message;
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
