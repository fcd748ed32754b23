"""The studio's part of the page: fields, Run, progress, messages, audit, files."""

import contextlib
from html import escape
from typing import TYPE_CHECKING, Any

from taut.studio.fields import NumberField

if TYPE_CHECKING:
    from taut.studio.studio import Studio

# ends of keys whose numbers get a slider
SLIDERS = ("duration", "mass", "length", "position", "stiffness", "youngs_modulus", "damping", "mass_per_length")
RANGE = 4.0  # a slider goes from the value divided by this to the value times this
NOTHING = ""


class Panel:
    """The fields and buttons of the studio."""

    def __init__(self, studio: "Studio", fields: list[NumberField]) -> None:
        """Make the fields and buttons; what they ask for is done by the studio."""
        self.studio, self.gui = studio, studio.player.server.gui
        self.fields = fields
        self.texts: dict[NumberField, Any] = {}
        with self.gui.add_folder("Studio", order=5):
            self._add_run()
        with self.gui.add_folder("Numbers", order=6):
            self._add_fields()
            self.more = self.gui.add_text("other key=value", "", hint="as for --set, for example gravity=[0, 0, -1.62]")
        with self.gui.add_folder("Files", order=20, expand_by_default=False):
            self._add_files()

    def _add_run(self) -> None:
        self.run = self.gui.add_button("Run")
        self.cancel = self.gui.add_button("Cancel", visible=False)
        self.progress = self.gui.add_progress_bar(0.0, visible=False)
        self.is_compared = self.gui.add_checkbox("compare", False, hint="overlay the run before as a ghost")
        self.message = self.gui.add_html(NOTHING)
        self.audit = self.gui.add_html(NOTHING)
        self.run.on_click(lambda _: self.studio.run())
        self.cancel.on_click(lambda _: self.studio.cancel())
        self.is_compared.on_update(lambda _: self.studio.compare(self.is_compared.value))

    def _add_fields(self) -> None:
        for number, group in enumerate(dict.fromkeys(field.group for field in self.fields)):
            with self.gui.add_folder(group, expand_by_default=number < 3):
                for field in (field for field in self.fields if field.group == group):
                    self._add_field(field)

    def _add_field(self, field: NumberField) -> None:
        text = self.gui.add_text(field.label, shown(field), hint=hint(field))
        self.texts[field] = text
        if field.key.split()[-1] in SLIDERS and field.value > 0:
            slider = self.gui.add_slider(" ", **slider_range(field))
            # slider and text follow each other, but only after a change by the user
            slider.on_update(lambda event: self._write(text, slider) if event.client is not None else None)
            text.on_update(lambda event: self._slide(text, slider) if event.client is not None else None)

    def _write(self, text: Any, slider: Any) -> None:
        text.value = f"{slider.value:.4g}"

    def _slide(self, text: Any, slider: Any) -> None:
        with contextlib.suppress(ValueError):
            slider.value = min(max(float(text.value), slider.min), slider.max)

    def _add_files(self) -> None:
        stem = self.studio.stem
        self.scenario_name = self.gui.add_text("scenario file", f"{stem}-changed.yaml")
        self.save_scenario = self.gui.add_button("Save scenario")
        self.result_name = self.gui.add_text("result file", f"{stem}-changed.nc")
        self.save_result = self.gui.add_button("Save result")
        self.save_scenario.on_click(lambda _: self.studio.save_scenario(self.scenario_name.value))
        self.save_result.on_click(lambda _: self.studio.save_result(self.result_name.value))

    def settings(self) -> list[str]:
        """Changed fields, written as for `--set`."""
        changed = []
        for field, handle in self.texts.items():
            # the text is rounded: an untouched field keeps the scenario's exact value
            if handle.value.strip() != shown(field):
                changed += field.settings(handle.value.strip())
        more = self.more.value.strip()
        return [*changed, more] if more else changed

    def set_running(self, is_running: bool) -> None:
        """Show Cancel and the progress bar in the place of Run."""
        self.run.visible, self.cancel.visible, self.progress.visible = not is_running, is_running, is_running
        self.progress.value = 0.0

    def say(self, text: str, *, is_bad: bool = False) -> None:
        """Show a message; every line as it is on the command line."""
        colour = "#c0392b" if is_bad else "inherit"
        style = f"white-space: pre-wrap; padding: 0 1em; font-size: 0.85em; color: {colour}"
        self.message.content = f'<div class="taut-message" style="{style}">{escape(text)}</div>' if text else NOTHING

    def show_audit(self, lines: list[str]) -> None:
        """Show the audit as `taut run` prints it."""
        style = (
            "white-space: pre; overflow-x: auto; padding: 0.3em 1em; margin: 0; font-size: 0.72em; line-height: 1.35"
        )
        self.audit.content = f'<pre class="taut-audit" style="{style}">{escape(chr(10).join(lines))}</pre>'


def shown(field: NumberField) -> str:
    """The value of a field as the text shown for it."""
    return f"{field.value:g}" if isinstance(field.value, float) else f"{field.value}"


def hint(field: NumberField) -> str:
    """Meaning, key, and what is allowed."""
    limits = []
    if field.low is not None:
        limits.append(f"{'greater than' if field.is_open else 'at least'} {field.low:g}")
    if field.high is not None:
        limits.append(f"at most {field.high:g}")
    where = field.paths[0] if len(field.paths) == 1 else f"{field.paths[0]} and {len(field.paths) - 1} more"
    return f"{field.description}; {' and '.join(limits) or 'any number'} ({where})"


def slider_range(field: NumberField) -> dict[str, float]:
    """A range around the value, within what the schema allows."""
    value = float(field.value)
    low, high = value / RANGE, value * RANGE
    low = max(low, field.low) if field.low is not None else low
    high = min(high, field.high) if field.high is not None else high
    step = float(f"{(high - low) / 400:.1g}")
    return {"min": low, "max": high, "step": step, "initial_value": value}
