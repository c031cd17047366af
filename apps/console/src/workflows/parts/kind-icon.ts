import type { IconComponent } from "../../ui/create-icon.ts";
import {
  CirclePlay,
  CircleStop,
  CircleX,
  Clock,
  Database,
  FileDown,
  FilePlus,
  FileText,
  GitBranch,
  Globe,
  List,
  Mail,
  Pencil,
  Repeat,
  Search,
  Split,
  SquareFunction,
  SquarePlus,
  Trash2,
  Webhook,
  Workflow,
} from "../../ui/icons.generated.ts";

const icons: Readonly<Record<string, IconComponent>> = {
  listRows: List,
  getRow: Search,
  createRow: SquarePlus,
  updateRows: Pencil,
  deleteRows: Trash2,
  httpRequest: Globe,
  sendEmail: Mail,
  renderDocument: FileText,
  readFile: FileDown,
  storeFile: FilePlus,
  runWorkflow: Workflow,
  delay: Clock,
  setValues: SquareFunction,
  condition: GitBranch,
  switch: Split,
  forEach: Repeat,
  fail: CircleX,
  finish: CircleStop,
  webhook: Webhook,
  schedule: Clock,
  databaseEvent: Database,
  manual: CirclePlay,
};

/** The icon of a kind of step or trigger. */
export function iconOf(kind: string): IconComponent {
  return icons[kind] ?? SquareFunction;
}
