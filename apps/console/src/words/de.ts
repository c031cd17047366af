import { common } from "./de/common.ts";
import { shell } from "./de/shell.ts";
import { signInArea } from "./de/sign-in.ts";
import type { StartWords } from "./words.ts";

/** The texts of the sign-in and of every page in German. */
export const de: StartWords = {
  product: "Rowhouse",
  ...common,
  ...shell,
  ...signInArea,
};
