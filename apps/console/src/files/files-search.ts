import { textParameter } from "../shell/text-parameter.ts";
/** What the library shows, as the address of its page has it. */
export interface FilesSearch {
  /** Id of the open folder; the top without it. */
  readonly folder: string | undefined;
  readonly search: string | undefined;
  readonly order: FileOrder | undefined;
  readonly view: "list" | undefined;
  /** Id of the file beside the list. */
  readonly open: string | undefined;
}

/** The orders of a list, by their columns. */
const orders = {
  name: ["name"],
  newest: ["-created_at"],
  oldest: ["created_at"],
  largest: ["-bytes"],
} as const;

type FileOrder = keyof typeof orders;

export const fileOrders = Object.keys(orders) as readonly FileOrder[];

/** Returns the columns of an order, of those that the person may read. */
export function orderColumns(
  order: FileOrder = "name",
  fields: readonly string[],
): readonly string[] {
  return orders[order].filter((term) => fields.includes(term.replace("-", "")));
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readFilesSearch(raw: Readonly<Record<string, unknown>>): FilesSearch {
  return {
    folder: textParameter(raw.folder),
    search: textParameter(raw.search),
    order: fileOrders.find((order) => order === raw.order),
    view: raw.view === "list" ? "list" : undefined,
    open: textParameter(raw.open),
  };
}
