import { common } from "./en/common.ts";
import { shell } from "./en/shell.ts";
import { signInArea } from "./en/sign-in.ts";

/** The texts of the sign-in and of every page in English. Every other language has the same keys. */
export const en = {
  product: "Rowhouse",
  ...common,
  ...shell,
  ...signInArea,
};
