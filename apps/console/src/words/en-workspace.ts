import { account } from "./en/account.ts";
import { administration } from "./en/administration.ts";
import { dashboards } from "./en/dashboards.ts";
import { dataView } from "./en/data-view.ts";
import { files } from "./en/files.ts";
import { filter } from "./en/filter.ts";
import { grid } from "./en/grid.ts";
import { home } from "./en/home.ts";
import { manage } from "./en/manage.ts";
import { panels } from "./en/panels.ts";
import { record } from "./en/record.ts";
import { transfer } from "./en/transfer.ts";
import { values } from "./en/values.ts";
import { viewForm } from "./en/view-form.ts";
import { views } from "./en/views.ts";
import { workspace } from "./en/workspace.ts";

/** The texts of the pages behind the sign-in in English. */
export const enWorkspace = {
  account,
  administration,
  dashboards,
  dataView,
  filter,
  files,
  grid,
  home,
  manage,
  panels,
  record,
  transfer,
  values,
  viewForm,
  views,
  workspace,
};
