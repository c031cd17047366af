import { access } from "./de/access.ts";
import { audit } from "./de/audit.ts";
import { dashboardBuilder } from "./de/dashboard-builder.ts";
import { fromFile } from "./de/from-file.ts";
import { invitations } from "./de/invitations.ts";
import { mcp } from "./de/mcp.ts";
import { overview } from "./de/overview.ts";
import { people } from "./de/people.ts";
import { presentation } from "./de/presentation.ts";
import { providers } from "./de/providers.ts";
import { readings } from "./de/readings.ts";
import { reference } from "./de/reference.ts";
import { roles } from "./de/roles.ts";
import { schemaMap } from "./de/schema-map.ts";
import { settings } from "./de/settings.ts";
import { sql } from "./de/sql.ts";
import { structure } from "./de/structure.ts";
import { tableDraft } from "./de/table-draft.ts";
import { templates } from "./de/templates.ts";
import { tokens } from "./de/tokens.ts";
import { viewBuilder } from "./de/view-builder.ts";
import { viewEditor } from "./de/view-editor.ts";
import { workflowEditor } from "./de/workflow-editor.ts";
import { workflowForm } from "./de/workflow-form.ts";
import { workflowSecrets } from "./de/workflow-secrets.ts";
import { workflowSettings } from "./de/workflow-settings.ts";
import { workflows } from "./de/workflows.ts";
import type { AdministrationWords } from "./words.ts";

/** The texts of the administration in German. */
export const deAdministration: AdministrationWords = {
  access,
  audit,
  dashboardBuilder,
  fromFile,
  invitations,
  mcp,
  overview,
  people,
  providers,
  readings,
  reference,
  roles,
  presentation,
  structure,
  tableDraft,
  schemaMap,
  settings,
  templates,
  tokens,
  viewBuilder,
  viewEditor,
  sql,
  workflowEditor,
  workflowForm,
  workflowSecrets,
  workflowSettings,
  workflows,
};
