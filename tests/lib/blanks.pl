# SPDX-License-Identifier: Apache-2.0
# Sets the foreground colour of text before the next character that shows it. A blank has no visible
# foreground unless it is reversed or underlined, and keeps the one that was drawn there before.
use strict;
use warnings;

my ($wanted, $set, $visible) = (39, 39, 0);
while (my $line = <STDIN>) {
    while ($line =~ /\G(\e\[([0-9;]*)m|.|\n)/gs) {
        my ($part, $codes) = ($1, $2);
        if (defined $codes && $codes =~ /^3[0-79]$/) {
            $wanted = $codes;
            next;
        }
        if (defined $codes) {
            ($wanted, $set, $visible) = (39, 39, 0) if $codes eq '' || $codes =~ /^0/;
            $visible = 1 if $codes =~ /(^|;)[47]($|;)/;
        } elsif ($set != $wanted && ($visible || $part !~ /\s/)) {
            print "\e[${wanted}m";
            $set = $wanted;
        }
        print $part;
    }
}
