import { account } from "./de/account.ts";
import { common } from "./de/common.ts";
import { filter } from "./de/filter.ts";
import { grid } from "./de/grid.ts";
import { record } from "./de/record.ts";
import { shell } from "./de/shell.ts";
import { signInArea } from "./de/sign-in.ts";
import { transfer } from "./de/transfer.ts";
import { values } from "./de/values.ts";
import { views } from "./de/views.ts";
import { workspace } from "./de/workspace.ts";
import type { Words } from "./en.ts";

/** The texts of the pages in German. */
export const de: Words = {
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
