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
  type LucideIcon,
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
} from "lucide-react";

const icons: Readonly<Record<string, LucideIcon>> = {
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
export function iconOf(kind: string): LucideIcon {
  return icons[kind] ?? SquareFunction;
}
