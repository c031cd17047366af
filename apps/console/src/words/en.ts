import { common } from "./en/common.ts";
import { shell } from "./en/shell.ts";
import { signInArea } from "./en/sign-in.ts";
import { workspace } from "./en/workspace.ts";

/** The texts of the pages in English, in a file for each area. Every other language has the same keys. */
export const en = { product: "Rowhouse", ...common, ...shell, ...signInArea, workspace };

/** The shape of every catalog. */
export type Words = typeof en;
