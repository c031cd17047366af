import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";

/** Chooses all, active or inactive users. */
export function StateFilter(props: {
  readonly active: boolean | undefined;
  readonly onChange: (state: "true" | "false" | undefined) => void;
}) {
  const t = useTranslations("people");
  const { active, onChange } = props;
  return (
    <Select
      label={t("state")}
      value={active === undefined ? "" : active ? "true" : "false"}
      options={[
        { value: "", label: t("all") },
        { value: "true", label: t("active") },
        { value: "false", label: t("inactive") },
      ]}
      onChange={(state) => onChange(state === "" ? undefined : state)}
    />
  );
}
