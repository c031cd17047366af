import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ComboField } from "../ui/combobox.tsx";

/** A record that was found by a text. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
}

interface FindBoxProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly chosen: Found | undefined;
  readonly onChoose: (found: Found) => void;
  /** Key of the query, to which the text is added. */
  readonly findKey: readonly string[];
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** Ids that are not offered. */
  readonly without?: readonly string[];
  readonly placeholder?: string;
  readonly isFirst?: boolean;
}

/** A field that finds a record of the service by a part of its name. */
export function FindBox(props: FindBoxProps) {
  const { chosen, find, findKey, without = [] } = props;
  const words = useTranslations("manage");
  const [typed, setTyped] = useState<string>();
  const [isWanted, want] = useState(false);
  const text = typed ?? "";
  const { data, error } = useQuery({
    queryKey: [...findKey, text],
    queryFn: ({ signal }) => find(text, signal),
    enabled: isWanted || typed !== undefined,
  });
  const found = (data ?? []).filter((one) => !without.includes(one.id));
  const message = () => {
    if (error !== null) return words("notLoaded");
    if (data === undefined) return words("loading");
    return found.length === 0 ? words("nothingFound") : undefined;
  };
  return (
    <ComboField
      label={props.label}
      hint={props.hint}
      fault={props.fault}
      shown={chosen?.label ?? ""}
      chosen={chosen?.id}
      typed={typed}
      onType={setTyped}
      options={found}
      onChoose={(id) => {
        const one = found.find((other) => other.id === id);
        if (one !== undefined) props.onChoose(one);
      }}
      onOpen={() => want(true)}
      message={message()}
      placeholder={props.placeholder}
      isFirst={props.isFirst === true}
    />
  );
}
