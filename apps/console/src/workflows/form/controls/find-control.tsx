import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Found } from "../../../shell/find-box.tsx";
import { Combobox } from "../../../ui/combobox.tsx";
import { type ControlProps, controlClasses } from "../control-props.ts";

interface FindControlProps extends ControlProps {
  readonly findKey: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** The name of the present value; undefined while it is unknown. */
  readonly shown: string | undefined;
  /** Whether any text may be chosen, found or not. */
  readonly isFree?: boolean;
  readonly placeholder?: string;
}

/** A choice of a record by a part of its name. */
export function FindControl(props: FindControlProps) {
  const {
    id,
    describedBy,
    isInvalid,
    field,
    value,
    onChange,
    findKey,
    find,
    isFree = false,
  } = props;
  const words = useTranslations("manage");
  const t = useTranslations("workflowForm");
  const [typed, setTyped] = useState<string>();
  const [isWanted, want] = useState(false);
  const { data, error, isLoading } = useQuery({
    queryKey: ["workflow-form", findKey, typed ?? ""],
    queryFn: ({ signal }) => find(typed ?? "", signal),
    enabled: isWanted,
  });
  const present = typeof value === "string" ? value : "";
  const own: readonly Found[] =
    isFree && typed !== undefined && typed !== "" && data?.every((one) => one.id !== typed)
      ? [{ id: typed, label: t("asWritten", { text: typed }) }]
      : [];
  // While the records load, it would be the only option, and Enter would remove the present value.
  const none: readonly Found[] =
    field.isRequired || present === "" || isLoading ? [] : [{ id: "", label: t("none") }];
  const options = [...(data ?? []), ...own, ...(typed === undefined || typed === "" ? none : [])];
  const message = () => {
    if (error !== null) return words("notLoaded");
    if (data === undefined) return words("loading");
    return options.length === 0 ? words("nothingFound") : undefined;
  };
  return (
    <Combobox
      id={id}
      label={undefined}
      text={typed ?? props.shown ?? present}
      onText={(text) => {
        want(true);
        setTyped(text);
      }}
      options={options}
      chosen={present === "" ? undefined : present}
      onChoose={(chosen) => {
        setTyped(undefined);
        onChange(chosen === "" ? undefined : chosen);
      }}
      onOpen={() => {
        want(true);
        setTyped("");
      }}
      onLeave={() => setTyped(undefined)}
      message={message()}
      placeholder={placeholderOf(props.placeholder, props.shown ?? present, typed)}
      inputClassName={controlClasses}
      describedBy={describedBy}
      isInvalid={isInvalid}
    />
  );
}

/** While the person types, the present choice; without a choice, what can be chosen. */
function placeholderOf(usual: string | undefined, shown: string, typed: string | undefined) {
  if (shown === "") return usual;
  return typed === undefined ? undefined : shown;
}
