// Whether posts show previews of their links: on, unless the member switched them off in this browser.
import { deviceSwitch } from '@/ui/device-switch';

export const { change: switchLinkCards, use: useLinkCards } = deviceSwitch('portia-link-cards');
