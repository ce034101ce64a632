"""Lists the incompatible changes of packages, as griffe finds them: `judge_python.py <before> <after>`.

Both are folders with an archive in each folder. A line of the output is the archive's name and a change.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import griffe

# Oneofs may have further cases.
NAMES_OF_CASES = re.compile(r"^Literal\[(.*)\](?: \| None)?$")


def main() -> None:
    before, after = Path(sys.argv[1]), Path(sys.argv[2])
    names = sorted(folder.name for folder in before.iterdir())
    for name in names:
        for change in changes(before / name / "src", after / name / "src"):
            print(f"{name}: {change}")
    print(f"{len(names)} packages")


def changes(before: Path, after: Path) -> Iterator[str]:
    (package,) = (folder.name for folder in before.iterdir())
    old, new = (griffe.load(package, search_paths=[folder]) for folder in (before, after))
    for breakage in griffe.find_breaking_changes(old, new):
        if not is_mistaken(breakage, old, new):
            yield f"{breakage.obj.path}: {breakage.kind.value}: {breakage.old_value} -> {breakage.new_value}"
    for module in ("_fields", "client", "messages"):
        if module in old.members:
            yield from changed_types(old[module], new[module])


def is_mistaken(breakage: griffe.Breakage, old: griffe.Object, new: griffe.Object) -> bool:
    # Of a field called `self`, griffe takes the other parameter of that name for another default.
    if breakage.obj.name == "__version__" or getattr(breakage.old_value, "name", "") == "self":
        return True
    if breakage.kind is not griffe.BreakageKind.ATTRIBUTE_CHANGED_VALUE:
        return False
    path = breakage.obj.path.split(".")[1:]
    return value_of(old[path]) == value_of(new[path])


def value_of(member: griffe.Object) -> str:
    """The value of an enum member; an alias stands for the member before it."""
    value = str(member.value)
    return value_of(member.parent[value]) if value in member.parent.members else value


def changed_types(old: griffe.Object, new: griffe.Object) -> Iterator[str]:
    """What griffe leaves out: symbols of the same name with other types."""
    for name, member in old.members.items():
        # The parameters of a message are its fields.
        if member.is_alias or name not in new.members or name == "__init__":
            continue
        was, now = types_of(member), types_of(new.members[name])
        if was != now and not has_more_cases(was, now):
            yield f"{member.path}: Type was changed: {was} -> {now}"
        yield from changed_types(member, new.members[name])


def types_of(member: griffe.Object) -> str:
    if isinstance(member, griffe.Function):
        parameters = ", ".join(str(each) for each in member.parameters)
        return f"({parameters}) -> {member.returns}"
    return str(member.annotation) if isinstance(member, griffe.Attribute) else ""


def has_more_cases(was: str, now: str) -> bool:
    before, after = NAMES_OF_CASES.match(was), NAMES_OF_CASES.match(now)
    return bool(before and after) and set(before[1].split(", ")) <= set(after[1].split(", "))


if __name__ == "__main__":
    main()
