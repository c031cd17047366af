import { type ReactNode, useId } from "react";
import { Combobox, type Option } from "./combobox.tsx";
import { describedBy, Field, inputClasses } from "./field.tsx";

interface ComboFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  /** The text of the present choice. */
  readonly shown: string;
  readonly chosen: string | undefined;
  /** What is typed to find another option; undefined while nothing is. */
  readonly typed: string | undefined;
  readonly onType: (typed: string | undefined) => void;
  readonly options: readonly Option[];
  readonly onChoose: (id: string) => void;
  readonly onOpen?: () => void;
  readonly message: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isFirst?: boolean;
}

/** A field that chooses one of many by a part of its name. A text that chooses nothing is dropped. */
export function ComboField(props: ComboFieldProps) {
  const { label, hint, fault, onType } = props;
  const id = useId();
  const description = describedBy(id, hint, fault);
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <Combobox
        id={id}
        label={undefined}
        text={props.typed ?? props.shown}
        onText={onType}
        options={props.options}
        chosen={props.chosen}
        onChoose={(chosen) => {
          onType(undefined);
          props.onChoose(chosen);
        }}
        onOpen={props.onOpen}
        onLeave={() => onType(undefined)}
        message={props.message}
        placeholder={props.placeholder}
        inputClassName={inputClasses}
        describedBy={description["aria-describedby"]}
        isInvalid={fault !== undefined}
        autoFocus={props.isFirst === true}
      />
    </Field>
  );
}
