import { type ComponentType, createContext, useContext } from "react";
import type { JsonObject } from "../model/definition.ts";
import type { DefinitionFault } from "../model/faults.ts";
import { isWithin } from "../model/pointer.ts";
import type { FormField } from "./form-field.ts";
import type { Scope } from "./shape.ts";

/** Where a form stands: the workflow, its definition as it is edited, and the step; null for the trigger. */
export interface FormPlace {
  readonly workflowId: string;
  readonly definition: JsonObject;
  readonly stepId: string | null;
}

/** What every control of a form can read and do. */
interface FormState {
  readonly place: FormPlace;
  /** Whether it shows its values, and changes none. */
  readonly isLocked: boolean;
  /** The step, the trigger or the settings that the form edits. */
  readonly value: JsonObject;
  /** Changes some members; undefined removes one. */
  readonly change: (changes: JsonObject) => void;
  readonly faults: readonly DefinitionFault[];
  /** Returns what an expression can name here. */
  readonly findScope: () => Promise<Scope>;
  /** Shows fields inside of a control. It is here because it shows the controls in turn. */
  readonly Fields: ComponentType<FieldsProps>;
}

/** Fields of an object. */
export interface FieldsProps {
  readonly fields: readonly FormField[];
  /** The pointer of the object; empty for that of the form. */
  readonly pointer: string;
  readonly value: JsonObject;
  readonly onChange: (changes: JsonObject) => void;
  /** Members that are shown elsewhere. */
  readonly hidden?: readonly string[];
}

const Form = createContext<FormState | null>(null);

export const FormProvider = Form.Provider;

/** The form around a control. */
export function useForm(): FormState {
  const form = useContext(Form);
  if (form === null) throw new Error("useForm needs a FormProvider");
  return form;
}

/** The faults at a pointer or below it. */
export function useFaults(pointer: string): readonly DefinitionFault[] {
  return useForm().faults.filter(({ path }) => isWithin(path, pointer));
}
