import type { ComponentType } from "react";
import type { ControlProps } from "./control-props.ts";
import { BooleanControl, ChoiceControl } from "./controls/choice-controls.tsx";
import { FieldsControl, OrderControl } from "./controls/columns-controls.tsx";
import { HeadersControl, QueryControl, ValuesControl } from "./controls/entries-controls.tsx";
import { FilterControl } from "./controls/filter-control.tsx";
import {
  DocumentControl,
  FolderControl,
  UserControl,
  WorkflowControl,
} from "./controls/find-controls.tsx";
import { KeyControl } from "./controls/key-control.tsx";
import { ListControl } from "./controls/list-control.tsx";
import { MillisecondsControl, NumberControl, SecondsControl } from "./controls/number-controls.tsx";
import {
  OnErrorControl,
  RetryControl,
  ToolControl,
  VariantControl,
} from "./controls/object-controls.tsx";
import { TableControl } from "./controls/table-control.tsx";
import {
  CelControl,
  TemplateControl,
  TemplateTextControl,
  TextControl,
} from "./controls/text-controls.tsx";
import { CronControl, TimeZoneControl } from "./controls/time-controls.tsx";
import { ValueField } from "./value-field.tsx";

interface ControlKind {
  readonly Control: ComponentType<ControlProps>;
  /** Whether it has several inputs, each with a name of its own. */
  readonly isGroup?: boolean;
}

/** The controls by `x-control`. */
const controls: Readonly<Record<string, ControlKind>> = {
  stepId: { Control: TextControl },
  schema: { Control: TextControl },
  table: { Control: TableControl },
  fields: { Control: FieldsControl },
  values: { Control: ValuesControl, isGroup: true },
  filter: { Control: FilterControl, isGroup: true },
  orderBy: { Control: OrderControl, isGroup: true },
  key: { Control: KeyControl, isGroup: true },
  template: { Control: TemplateControl, isGroup: true },
  templateText: { Control: TemplateTextControl, isGroup: true },
  templateJson: { Control: AnyControl, isGroup: true },
  scalar: { Control: AnyControl, isGroup: true },
  cel: { Control: CelControl, isGroup: true },
  headers: { Control: HeadersControl, isGroup: true },
  query: { Control: QueryControl, isGroup: true },
  auth: { Control: VariantControl },
  signature: { Control: VariantControl },
  tool: { Control: ToolControl, isGroup: true },
  secret: { Control: TextControl },
  user: { Control: UserControl },
  workflow: { Control: WorkflowControl },
  document: { Control: DocumentControl },
  folder: { Control: FolderControl },
  cron: { Control: CronControl },
  timeZone: { Control: TimeZoneControl },
  milliseconds: { Control: MillisecondsControl },
  seconds: { Control: SecondsControl },
  onError: { Control: OnErrorControl },
  retry: { Control: RetryControl, isGroup: true },
  choice: { Control: ChoiceControl },
  number: { Control: NumberControl },
  boolean: { Control: BooleanControl },
  text: { Control: TextControl },
  list: { Control: ListControl, isGroup: true },
};

function AnyControl(props: ControlProps) {
  return <ValueField {...props} isOptional={!props.field.isRequired} />;
}

/** Returns the control of a field; undefined for a field that is edited as JSON. */
export function controlOf(name: string): ControlKind | undefined {
  return Object.hasOwn(controls, name) ? controls[name] : undefined;
}
