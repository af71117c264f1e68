//go:build linux && cgo && desktop

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

static GQueue early = G_QUEUE_INIT;
static GtkWidget *listening = NULL;

static gboolean keep(GtkWidget *window, GdkEvent *event, gpointer data) {
	g_queue_push_tail(&early, gdk_event_copy(event));
	return TRUE;
}

static gboolean hand(gpointer data);

static gboolean hold(gpointer data) {
	GList *windows = gtk_window_list_toplevels();
	if (windows != NULL) {
		listening = g_object_ref(windows->data);
		g_signal_connect(listening, "key-press-event", G_CALLBACK(keep), NULL);
		g_signal_connect(listening, "key-release-event", G_CALLBACK(keep), NULL);
		g_timeout_add_seconds(10, hand, NULL); // a page that never comes keeps no keys
	}
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

static gboolean hand(gpointer data) {
	if (listening == NULL) return G_SOURCE_REMOVE;
	g_signal_handlers_disconnect_by_func(listening, keep, NULL);
	for (GdkEvent *event; (event = g_queue_pop_head(&early)) != NULL; gdk_event_free(event)) gtk_main_do_event(event);
	g_clear_object(&listening);
	return G_SOURCE_REMOVE;
}

// Before any event that waits, in the thread that runs the window.
static void holdKeys(void) { g_idle_add_full(G_PRIORITY_HIGH, hold, NULL, NULL); }
static void handKeys(void) { g_idle_add_full(G_PRIORITY_HIGH, hand, NULL, NULL); }
*/
import "C"

// HoldKeys keeps what is typed into the window, the only one there is, until
// HandKeys hands it on: a web view loses what comes before its page.
func HoldKeys() { C.holdKeys() }

// HandKeys gives the page what was typed before it was there, in its order.
func HandKeys() { C.handKeys() }
