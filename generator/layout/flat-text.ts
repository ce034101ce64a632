import type { builders } from 'prettier/doc';

type Layout = builders.Doc;

interface FlatStyle {
  /** Columns of a line. */
  width: number;
  /** Spaces of one indentation. */
  indent: number;
}

/**
 * Returns the text of a layout if no group has to break for lack of room: groups with a line end break, and all others
 * stay on one line. Undefined if a line would be too long or only the printer can decide. Most layouts fit, and the
 * printer takes ten times as long.
 */
export function flatText(layout: Layout, { width, indent }: FlatStyle): string | undefined {
  const lines = new FlatLines(width, indent);
  return lines.add(layout, true, 0) && lines.fits() ? lines.text + lines.line : undefined;
}

/** A group of the printer; its declared type lacks the optional properties. */
type Group = Pick<builders.Group, 'type' | 'contents' | 'break'> & { id?: symbol; expandedStates?: Layout[] };

/** Characters that are one column wide. */
const plain = /^[\x20-\x7e]*$/;

class FlatLines {
  readonly #width: number;
  readonly #indent: number;
  /** Completed lines, with their line ends. */
  text = '';
  /** The current line. */
  line = '';
  /** Columns that the printer reserves for broken groups before their first line end. */
  #spare = 0;

  constructor(width: number, indent: number) {
    this.#width = width;
    this.#indent = indent;
  }

  fits(): boolean {
    return this.line.length + this.#spare <= this.#width;
  }

  /**
   * Adds a layout; returns false if only the printer can lay it out.
   * @param breaks whether lines of the enclosing group are line ends; true outside groups.
   * @param margin spaces after a line end.
   */
  add(layout: Layout, breaks: boolean, margin: number): boolean {
    if (typeof layout === 'string') {
      this.line += layout;
      return plain.test(layout);
    }
    if (Array.isArray(layout)) {
      for (const part of layout) if (!this.add(part, breaks, margin)) return false;
      return true;
    }
    switch (layout.type) {
      case 'group':
        return this.#addGroup(layout, margin);
      case 'indent':
        return this.add(layout.contents, breaks, margin + this.#indent);
      case 'align':
        return (
          typeof layout.n === 'number' &&
          layout.n >= 0 &&
          this.add(layout.contents, breaks, margin + layout.n)
        );
      case 'indent-if-break':
        // Named groups are flat here: `#addGroup` gives up on broken ones.
        return this.add((layout as typeof layout & { contents: Layout }).contents, breaks, margin);
      case 'line':
        return this.#addLine(layout, breaks, margin);
      case 'if-break':
        return this.#addIfBreak(layout, breaks);
      case 'break-parent':
        return true;
      default:
        return false;
    }
  }

  #addGroup(group: Group, margin: number): boolean {
    const breaks = group.break || hasToBreak(group.contents);
    if (group.expandedStates !== undefined || (breaks && group.id !== undefined)) return false;
    return this.add(group.contents, breaks, margin);
  }

  #addLine(line: builders.Line, breaks: boolean, margin: number): boolean {
    if (!breaks) {
      this.line += line.soft === true ? '' : ' ';
      return line.hard !== true;
    }
    if (line.literal === true || !this.fits()) return false;
    this.text += `${this.line.replace(/[ \t]+$/, '')}\n`;
    this.line = ' '.repeat(margin);
    this.#spare = 0;
    return true;
  }

  /** Contents other than text may break the group. */
  #addIfBreak(
    { breakContents, flatContents, groupId }: builders.IfBreak & { groupId?: symbol },
    breaks: boolean,
  ): boolean {
    if (groupId !== undefined) return false;
    if (typeof breakContents !== 'string' || typeof flatContents !== 'string') return false;
    if (!breaks) this.#spare += breakContents.length;
    return this.add(breaks ? breakContents : flatContents, breaks, 0);
  }
}

/** Reports whether something in a layout breaks the groups around it. */
function hasToBreak(layout: Layout): boolean {
  if (typeof layout === 'string') return false;
  if (Array.isArray(layout)) return layout.some(hasToBreak);
  if (layout.type === 'break-parent' || (layout.type === 'group' && layout.break)) return true;
  if (layout.type === 'if-break') return hasToBreak(layout.breakContents) || hasToBreak(layout.flatContents);
  return 'contents' in layout && hasToBreak(layout.contents);
}
