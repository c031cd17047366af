import { account } from "./de/account.ts";
import { administration } from "./de/administration.ts";
import { dashboards } from "./de/dashboards.ts";
import { dataView } from "./de/data-view.ts";
import { files } from "./de/files.ts";
import { filter } from "./de/filter.ts";
import { grid } from "./de/grid.ts";
import { home } from "./de/home.ts";
import { manage } from "./de/manage.ts";
import { panels } from "./de/panels.ts";
import { record } from "./de/record.ts";
import { transfer } from "./de/transfer.ts";
import { values } from "./de/values.ts";
import { viewForm } from "./de/view-form.ts";
import { views } from "./de/views.ts";
import { workspace } from "./de/workspace.ts";
import type { WorkspaceWords } from "./words.ts";

/** The texts of the pages behind the sign-in in German. */
export const deWorkspace: WorkspaceWords = {
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
