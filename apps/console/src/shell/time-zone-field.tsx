import { useId } from "react";
import { TextField } from "../ui/text-field.tsx";

const zones = Intl.supportedValuesOf("timeZone");

/** A time zone, which is found by typing a part of its name. */
export function TimeZoneField(props: {
  readonly label: string;
  readonly hint: string;
  readonly fault: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const listId = useId();
  return (
    <>
      <TextField {...props} name="timeZone" autoComplete="off" list={listId} />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
