// The texts about unsaved input: part of the code of the components that use them, because every screen can open a form.
import { addTexts } from '@/i18n/i18n';
import en from '@/locales/en/unsaved.json';
import fil from '@/locales/fil/unsaved.json';

addTexts('unsaved', { en, fil });
