import type { builders } from 'prettier/doc';

type Layout = builders.Doc;

/**
 * The text of a layout whose groups all fit on one line of `width` columns; undefined when one may have to break, and when
 * it takes the printer to know. Most layouts fit, and the printer takes ten times as long to find out.
 */
export function flatText(layout: Layout, width: number): string | undefined {
  const line = new FlatLine();
  return line.add(layout, false) && line.text.length + line.spare <= width ? line.text : undefined;
}

/** Every character of these is one column wide. */
const plain = /^[\x20-\x7e]*$/;

class FlatLine {
  text = '';
  /** Columns that broken groups would take more before their first line end: the printer counts them for its neighbours. */
  spare = 0;

  /**
   * Adds a layout, or says that the printer has to be asked.
   * @param inGroup whether a group around the layout decides that lines are not broken: outside of one, they are.
   */
  add(layout: Layout, inGroup: boolean): boolean {
    if (typeof layout === 'string') {
      this.text += layout;
      return plain.test(layout);
    }
    if (Array.isArray(layout)) return layout.every((part) => this.add(part, inGroup));
    switch (layout.type) {
      case 'group':
        return isPlainGroup(layout) && this.add(layout.contents, true);
      case 'indent':
      case 'align':
        return this.add(layout.contents, inGroup);
      case 'indent-if-break':
        return this.add((layout as typeof layout & { contents: Layout }).contents, inGroup);
      case 'line':
        this.text += layout.soft === true ? '' : ' ';
        return inGroup && layout.hard !== true;
      case 'if-break':
        // More than text may hold what breaks the group.
        if (!inGroup || typeof layout.breakContents !== 'string') return false;
        this.spare += layout.breakContents.length;
        return this.add(layout.flatContents, true);
      default:
        return false;
    }
  }
}

/** Not one that is broken in any case, or has further forms to choose from. */
function isPlainGroup(group: { break: boolean; expandedStates?: Layout[] }): boolean {
  return !group.break && group.expandedStates === undefined;
}
