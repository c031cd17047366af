import { common } from "./de/common.ts";
import { shell } from "./de/shell.ts";
import { signInArea } from "./de/sign-in.ts";
import { workspace } from "./de/workspace.ts";
import type { Words } from "./en.ts";

/** The texts of the pages in German. */
export const de: Words = { product: "Rowhouse", ...common, ...shell, ...signInArea, workspace };
