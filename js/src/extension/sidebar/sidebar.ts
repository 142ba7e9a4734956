/** The widget in the right side area: the panel of the current notebook, or what to do to get there. */
import { PanelLayout, Widget } from '@lumino/widgets';

import { NAME } from '../../shared/page';
import type { Copilot } from '../link/copilot';
import { language, languageChanged, words } from '../words';
import { copilotIcon } from './icon';
import { NoticeStrip } from './notice';
import { Placeholder } from './placeholder';
import { PanelView } from './panel-view';
import { keepWidth, restoreWidth } from './width';
import { noticeFor, placeholderFor, waiting, type Act } from './texts';

export class Sidebar extends Widget {
  private readonly content = new PanelLayout();
  private readonly notice: NoticeStrip;
  private readonly placeholder: Placeholder;
  /**
   * One for each open notebook with a copilot. Those in the back stay alive but hidden: with their scroll position, the
   * half-written question and all that was unfolded; and nothing is drawn again when the reader comes back.
   */
  private readonly views = new Map<Copilot, PanelView>();
  private current: Copilot | null = null;

  /** `act` does what a button says; `forget` is called before a view goes. */
  constructor(
    act: (copilot: Copilot, act: Act) => void,
    private readonly forget: (node: HTMLElement) => void,
  ) {
    super();
    this.id = 'qdash-copilot';
    this.title.label = NAME;
    this.title.caption = NAME;
    this.title.icon = copilotIcon;
    this.addClass('qdash-sidebar');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', NAME);
    this.node.tabIndex = -1;
    const doIt = (what: Act) => this.current && act(this.current, what);
    this.notice = new NoticeStrip(doIt);
    this.placeholder = new Placeholder(doIt);
    this.layout = this.content;
    this.content.addWidget(this.notice);
    this.content.addWidget(this.placeholder);
    languageChanged.connect(() => this.draw(), this);
    this.draw();
  }

  /** Shows the copilot of the current notebook. */
  turnTo(copilot: Copilot | null): void {
    this.current = copilot;
    this.draw();
  }

  /** Follows a copilot for as long as its notebook is open. */
  follow(copilot: Copilot): void {
    copilot.changed.connect(() => this.refresh(copilot), this);
    copilot.disposed.connect(() => this.remove(copilot), this);
  }

  /** Whose panel this node of the sidebar belongs to. */
  copilotOf(node: Element): Copilot | null {
    return [...this.views].find(([, view]) => view.node.contains(node))?.[0] ?? null;
  }

  /** Draws a panel anew that did not load. */
  showAgain(copilot: Copilot): void {
    const view = this.views.get(copilot);
    if (view?.modelId) {
      void view.render(view.modelId);
      this.draw();
    }
  }

  /** Puts the focus where the user goes on: into the text box, else on the button, else here. */
  focus(): void {
    const isVisible = (node: HTMLElement) => node.offsetParent !== null;
    const targets = this.node.querySelectorAll<HTMLElement>('.qd-composer textarea, .qdash-button');
    const target = [...targets].find(isVisible) ?? this.node;
    target.focus();
  }

  protected override onAfterShow(): void {
    // The areas around it are laid out first.
    requestAnimationFrame(() => restoreWidth(this));
  }

  protected override onResize(): void {
    keepWidth(this);
  }

  /** Whether its tab was what the user clicked or pressed last. */
  private isAsked = false;

  /** Knows from now on whether its tab is clicked, or chosen by a key. */
  watchTabs(): void {
    const look = ({ target }: Event): void => {
      this.isAsked = target instanceof Element && target.closest('.jp-SideBar') !== null;
    };
    document.addEventListener('pointerdown', look, true);
    document.addEventListener('keydown', look, true);
  }

  /** JupyterLab activates it whenever it appears: with the layout of yesterday, too, while somebody types in a cell. */
  protected override onActivateRequest(): void {
    if (this.isAsked) {
      this.focus();
    }
  }

  private refresh(copilot: Copilot): void {
    const modelId = copilot.hello?.model_id;
    const view = this.views.get(copilot);
    if (modelId && modelId !== view?.modelId) {
      void (view ?? this.add(copilot)).render(modelId);
    }
    if (copilot === this.current) {
      this.draw();
    }
  }

  private add(copilot: Copilot): PanelView {
    const view = new PanelView(copilot.panel, () => this.appeared(copilot));
    this.views.set(copilot, view);
    view.hide();
    this.content.addWidget(view);
    return view;
  }

  private remove(copilot: Copilot): void {
    const view = this.views.get(copilot);
    if (view) {
      this.forget(view.node);
      view.dispose();
      this.views.delete(copilot);
    }
    if (copilot === this.current) {
      this.turnTo(null);
    }
  }

  private appeared(copilot: Copilot): void {
    if (copilot === this.current) {
      const hadFocus = this.node.contains(document.activeElement);
      this.draw();
      if (hadFocus) {
        this.focus();
      }
    }
  }

  private draw(): void {
    this.node.lang = language;
    const copilot = this.current;
    const view = copilot ? (this.views.get(copilot) ?? null) : null;
    const place = placeholderFor(copilot, view?.hasFailed ?? false);
    // A panel that is there stays to be read, whatever has become of its kernel, until that says that it has none.
    const showsView = view !== null && view.isFilled && copilot?.hello?.model_id !== null;
    for (const each of this.views.values()) {
      each.setHidden(!showsView || each !== view);
    }
    this.placeholder.setHidden(showsView);
    this.notice.setNotice(copilot && showsView ? noticeFor(copilot) : null);
    if (!showsView) {
      const binding = copilot ? `${copilot.fileName} · ${copilot.panel.sessionContext.kernelDisplayName}` : '';
      this.placeholder.setContent(place ?? waiting(words.places.loading), binding, copilot?.starting?.since ?? null);
    }
  }
}
