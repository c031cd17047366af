import { type ComponentType, useId } from "react";
import { isJsonObject } from "../model/definition.ts";
import { isWithin } from "../model/pointer.ts";
import { controlFits } from "./control-fits.ts";
import type { ControlProps } from "./control-props.ts";
import { BooleanControl, ChoiceControl } from "./controls/choice-controls.tsx";
import { FieldsControl, OrderControl } from "./controls/columns-controls.tsx";
import { HeadersControl, QueryControl, ValuesControl } from "./controls/entries-controls.tsx";
import {
  DocumentControl,
  FolderControl,
  UserControl,
  WorkflowControl,
} from "./controls/find-controls.tsx";
import { ListControl } from "./controls/list-control.tsx";
import {
  OnErrorControl,
  RetryControl,
  ToolControl,
  VariantControl,
} from "./controls/object-controls.tsx";
import { FilterControl, KeyControl, TableControl } from "./controls/table-controls.tsx";
import {
  CelControl,
  MillisecondsControl,
  NoteControl,
  NumberControl,
  SecondsControl,
  TemplateControl,
  TemplateTextControl,
  TextControl,
} from "./controls/text-and-number-controls.tsx";
import { CronControl, TimeZoneControl } from "./controls/time-controls.tsx";
import { FaultLines, FieldFrame, noteId } from "./field-frame.tsx";
import { type FieldsProps, useFaults } from "./form-context.ts";
import type { FormField } from "./form-field.ts";
import { JsonField } from "./json-field.tsx";
import { pointerTo } from "./members.ts";
import { ValueField } from "./value-field.tsx";

/** The fields of an object, each with its control. Members that no field describes are shown as JSON. */
export function FormFields({ fields, pointer, value, onChange, hidden = [] }: FieldsProps) {
  const known = new Set([...fields.map(({ name }) => name), ...hidden]);
  const others = Object.keys(value).filter((name) => !known.has(name));
  return (
    <>
      {[...fields.filter(isShown), ...others.map(unknownField)].map((field) => (
        <OneField
          key={field.name}
          field={field}
          pointer={pointerTo(pointer, field.name)}
          value={Object.hasOwn(value, field.name) ? value[field.name] : undefined}
          onChange={(next) => onChange({ [field.name]: next })}
        />
      ))}
    </>
  );
}

/** Inner steps are in the tree, and the control of a table has its schema. */
function isShown({ control }: FormField): boolean {
  return control !== "steps" && control !== "schema";
}

function unknownField(name: string): FormField {
  const texts = { name, title: name, help: "", control: "" };
  return { ...texts, isCommon: false, isRequired: false, default: undefined, schema: {} };
}

function OneField(props: {
  readonly field: FormField;
  readonly pointer: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const { field, pointer, value, onChange } = props;
  const { title: label, help } = field;
  const id = useId();
  const faults = useFaults(pointer);
  const describedBy = noteId(id);
  const kind = controlFits(field, value) ? controlOf(field.control) : undefined;
  if (kind === undefined) {
    return (
      <FieldFrame id={id} label={label} pointer={pointer} help={help} faults={faults} isGroup>
        <JsonField
          {...{ label, pointer, describedBy, value, onChange }}
          isOptional={!field.isRequired}
        />
      </FieldFrame>
    );
  }
  const { Control, isGroup = false } = kind;
  const isInvalid = faults.length > 0;
  const control = (
    <Control {...{ id, label, describedBy, isInvalid, field, pointer, value, onChange }} />
  );
  if (field.control === "boolean" && typeof field.default === "boolean") {
    return (
      <div data-pointer={pointer} className="grid gap-0.5">
        {control}
        <div id={describedBy} className="pl-6 text-2 text-ink-2">
          <FaultLines faults={faults} />
          {help}
        </div>
      </div>
    );
  }
  return (
    <FieldFrame
      id={id}
      label={label}
      pointer={pointer}
      help={help}
      faults={faults.filter(({ path }) => !isShownInside(field, pointer, value, path))}
      isGroup={isGroup}
    >
      {control}
    </FieldFrame>
  );
}

const withRows: ReadonlySet<string> = new Set(["values", "headers", "query"]);
const withFields: ReadonlySet<string> = new Set(["retry", "auth", "signature", "tool"]);

/** Whether a part of the control shows a fault at its own place. */
function isShownInside(field: FormField, pointer: string, value: unknown, path: string): boolean {
  if (path === pointer) return false;
  if (withFields.has(field.control)) return typeof value === "object" && value !== null;
  const isRows = field.control === "templateJson" && !plainFields.has(field.name);
  if (isRows) return isJsonObject(value);
  if (!withRows.has(field.control)) return false;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.some((name) => isWithin(path, pointerTo(pointer, name)));
}

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
  templateJson: { Control: ObjectControl, isGroup: true },
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
  note: { Control: NoteControl },
  list: { Control: ListControl, isGroup: true },
};

function AnyControl(props: ControlProps) {
  return <ValueField {...props} isOptional={!props.field.isRequired} />;
}

/** Fields that are a list or one value as a rule, and not an object. */
const plainFields: ReadonlySet<string> = new Set(["items", "value"]);

/** A value that usually is an object: the result of a run, the body of a request. */
function ObjectControl(props: ControlProps) {
  const { name, isRequired } = props.field;
  return <ValueField {...props} isOptional={!isRequired} hasRows={!plainFields.has(name)} />;
}

/** Returns the control of a field; undefined for a field that is edited as JSON. */
function controlOf(name: string): ControlKind | undefined {
  return Object.hasOwn(controls, name) ? controls[name] : undefined;
}
