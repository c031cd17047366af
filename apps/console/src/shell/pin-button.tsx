import { useTranslations } from "use-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { Pin, PinOff } from "../ui/icons.generated.ts";
import { type HomeKey, usePin } from "./home-entries.ts";

/** Pins something to the home page of its person, or removes it from there. */
export function PinButton({ entry, name }: { readonly entry: HomeKey; readonly name: string }) {
  const t = useTranslations("home");
  const { isPinned, toggle } = usePin(entry);
  return (
    <IconButton
      label={t(isPinned ? "unpin" : "pin", { name })}
      icon={isPinned ? PinOff : Pin}
      onPress={toggle}
    />
  );
}
