import { account } from "./en/account.ts";
import { common } from "./en/common.ts";
import { filter } from "./en/filter.ts";
import { grid } from "./en/grid.ts";
import { record } from "./en/record.ts";
import { shell } from "./en/shell.ts";
import { signInArea } from "./en/sign-in.ts";
import { transfer } from "./en/transfer.ts";
import { values } from "./en/values.ts";
import { views } from "./en/views.ts";
import { workspace } from "./en/workspace.ts";

/** The texts of the pages in English, in a file for each area. Every other language has the same keys. */
export const en = {
  product: "Rowhouse",
  ...common,
  ...shell,
  ...signInArea,
  account,
  filter,
  grid,
  record,
  transfer,
  values,
  views,
  workspace,
};

/** The shape of every catalog. */
export type Words = typeof en;
