import { useId } from "react";
import { useTranslations } from "use-intl";
import { Switch } from "../ui/switch.tsx";
import type { Consent, Scope } from "./authorization.ts";

/** What the program may do, beginning with the least: a person switches on what it needs beyond reading. */
export function ConsentScopes(props: {
  readonly offered: Consent["scopes"];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}) {
  const { offered, chosen, onChange } = props;
  const t = useTranslations("consent");
  const id = useId();
  return (
    <fieldset aria-describedby={id} className="grid gap-3">
      <legend className="mb-2 font-medium">{t("may")}</legend>
      {offered.map(({ name, isOffered }) => (
        <Switch
          key={name}
          label={t(`scopes.${name}`)}
          hint={isOffered ? t(`scopeTexts.${name}`) : t("notOffered")}
          isOn={chosen.includes(name)}
          isDisabled={name === "read" || !isOffered}
          onChange={(isOn) =>
            onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
          }
        />
      ))}
      <p id={id} className="text-2 text-ink-2">
        {t("never")}
      </p>
    </fieldset>
  );
}
